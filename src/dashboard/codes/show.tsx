import type { Qr } from "../../contract/resources/qr.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { findFolders } from "../../domain/folders/folders.ts";
import { codeAnalytics } from "../analytics/code-analytics.tsx";
import { Action } from "../components/forms/buttons.tsx";
import { Badge } from "../components/values/cells.tsx";
import { CopyField } from "../components/values/copy-field.tsx";
import { Facts } from "../components/values/facts.tsx";
import { formatTime } from "../components/values/format.ts";
import { Head } from "../components/head.tsx";
import { Notice } from "../components/notice.tsx";
import type { PageResponse, DashboardRequest } from "../frame/request.ts";
import { Reason } from "../frame/workspace-notices.tsx";
import { dataFacts, fieldFacts } from "./facts.tsx";
import { folderAddress, searchAddress } from "./list/search.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { codeImageAddress, statusOfCode, typeTexts } from "./form/types.ts";

/** One code: its image, what it does, and its scans. @throws not_found */
export async function showCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const qr = await getQr(deps, context, request.param("id"));
  const [[folder], timeZone, activity] = await Promise.all([
    qr.folderId === null ? [] : findFolders(deps, context, [qr.folderId]),
    request.timeZone(),
    codeAnalytics(request, qr.id),
  ]);
  const status = statusOfCode(qr, deps.now());
  return {
    title: codeTitle(qr),
    content: (
      <>
        <Head title={codeTitle(qr)} back={{ path: "/dashboard/codes", name: "Codes" }}>
          <a class="button primary" href={`/dashboard/codes/${qr.id}/edit`}>
            Edit
          </a>
          <a class="button" href={`/dashboard/codes/new?from=${qr.id}`}>
            Duplicate
          </a>
          {qr.status === "active" ? (
            <Action path={`/dashboard/codes/${qr.id}/pause`}>Pause</Action>
          ) : (
            <Action path={`/dashboard/codes/${qr.id}/resume`}>Resume</Action>
          )}
          <a class="button danger" href={`/dashboard/codes/${qr.id}/delete`}>
            Delete
          </a>
        </Head>
        {qr.suspended !== null && (
          <Notice kind="bad">
            <p>
              The operator of this service has suspended this code. Scans see a neutral page.{" "}
              <Reason suspended={qr.suspended} />
            </p>
          </Notice>
        )}
        <div class="columns wide-right">
          <CodeImage qr={qr} />
          <div>
            <section class="card">
              <CopyField label="Short link" value={qr.scanUrl} />
              <Facts
                items={[
                  ["Status", <Badge kind={status.kind}>{status.text}</Badge>],
                  ["Type", typeTexts[qr.qrType].name],
                  ...dataFacts(qr.data),
                  ...fieldFacts(qr, {
                    startsAt: (time) => formatTime(time, timeZone),
                    expiresAt: (time) => formatTime(time, timeZone),
                    folderId: () => folder && <a href={folderAddress(folder)}>{folder.name}</a>,
                    tags: (tags) => <Tags tags={tags} />,
                  }),
                  ["Created", formatTime(qr.createdAt, timeZone)],
                ]}
              />
            </section>
          </div>
        </div>
        {activity}
      </>
    ),
  };
}

function CodeImage({ qr }: { qr: Qr }) {
  const file = `/dashboard/codes/${qr.id}/image`;
  return (
    <div class="preview">
      <img src={codeImageAddress(qr)} alt={`QR code for ${qr.scanUrl}`} width="256" height="256" />
      {/* Downloads are no pages, which htmx could show. */}
      <p class="buttons downloads" hx-boost="false">
        <a class="button" href={`${file}?format=svg&download`}>
          SVG
        </a>
        <a class="button" href={`${file}?format=png&size=1024&download`}>
          PNG
        </a>
        <a class="button" href={`${file}?format=png&size=2048&download`}>
          Large PNG
        </a>
      </p>
      <p class="small quiet">Print the SVG where you can: it is sharp at any size.</p>
    </div>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <>
          <a class="tag" href={searchAddress({ words: "", tag })}>
            {tag}
          </a>{" "}
        </>
      ))}
    </>
  );
}
