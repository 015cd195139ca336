import { type Qr, QrCreateInput } from "../../contract/resources/codes/qr.ts";
import { createQr, getQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { may } from "../../domain/context/permissions.ts";
import { ifFound } from "../../domain/errors.ts";
import { jobsUnderWay, recentActivity } from "../../domain/workspaces/activity.ts";
import { Empty } from "../../ui/empty.tsx";
import { emptyForm } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { Thumbnail } from "../../ui/values/code-image.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { WorkspaceAnalytics } from "../analytics/workspace-analytics.tsx";
import { onceFor } from "../frame/once.ts";
import type {
  DashboardRequest,
  DashboardResponse,
  Fragment,
  PageResponse,
  SeeOther,
} from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { FirstForm, FirstSteps } from "./first-steps.tsx";
import { Jobs } from "./jobs.tsx";
import { StillScannedNotice } from "./still-scanned.tsx";
import { tourPath } from "./tour.tsx";
import { Troubles } from "./troubles.tsx";

/** The workspace at a glance. A new one leads through the first steps: a code, a scan, a download. */
export async function overview(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, user, firstCode } = request;
  const [{ codes, jobs }, timeZone] = await Promise.all([recentActivity(deps, context), request.timeZone()]);
  const [latest] = codes;
  if (user.liveCodes === 0 || latest === undefined) return showForm(request);
  // The browser may have begun with a code of another workspace, or with one that is deleted by now.
  const begun = firstCode === null ? undefined : await ifFound(getQr(deps, context, firstCode.id));
  const steps = (
    <FirstSteps
      request={request}
      qr={begun ?? latest}
      isDownloaded={begun !== undefined && firstCode?.isDownloaded === true}
    />
  );
  return {
    title: "Overview",
    content: (
      <>
        <Troubles deps={deps} />
        <StillScannedNotice deps={deps} context={context} />
        <WorkspaceAnalytics
          request={request}
          firstSteps={steps}
          isNewcomer={begun !== undefined && firstCode?.isDownloaded === false}
        >
          <Changes codes={codes} timeZone={timeZone} />
          <Jobs jobs={jobs} />
        </WorkspaceAnalytics>
      </>
    ),
  };
}

/** Shows the form for the first code. */
async function showForm(request: DashboardRequest, form = emptyForm, status?: Rejection["status"]) {
  const { deps, context, user } = request;
  const jobs = await jobsUnderWay(deps, context);
  return {
    title: status === undefined ? "Overview" : "Problem: Overview",
    status: status ?? 200,
    content: (
      <>
        <Troubles deps={deps} />
        <Head title="Overview" />
        {may(context, "codes.write") ? (
          <FirstForm form={form} name={user.name} example={deps.settings.exampleUrl || tourPath} />
        ) : (
          <Empty title="No codes yet" text="Once there are some, their scans are reported here." />
        )}
        <Jobs jobs={jobs} />
      </>
    ),
  } as const satisfies PageResponse;
}

/** Creates the first code, only once for a form submitted twice; shows the form again if that fails. */
export async function createFirstCode(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const idempotency = await onceFor(request);
  const input = { qrType: "url", data: { type: "url", url: form.get("data.url") ?? "" } };
  const outcome = await submitForm(QrCreateInput, input, (checked) =>
    createQr(deps, context, checked, idempotency),
  );
  if ("rejection" in outcome) {
    const { problems, status } = outcome.rejection;
    return showForm(request, { values: form, problems }, status);
  }
  return {
    seeOther: "/dashboard",
    firstCode: { id: outcome.done.id, isDownloaded: false },
  };
}

/** The steps of the code `code`, as the overview asks for them again after a scan or a download. @throws not_found */
export async function firstStepsPart(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, firstCode, query } = request;
  const qr = await getQr(deps, context, query.get("code") ?? "");
  const isDownloaded = query.has("downloaded") || (firstCode?.id === qr.id && firstCode.isDownloaded);
  return { fragment: <FirstSteps request={request} qr={qr} isDownloaded={isDownloaded} /> };
}

/** Sends to the image of the code `code` as a file, and remembers that it was downloaded. @throws not_found */
export async function firstImage({ deps, context, query }: DashboardRequest): Promise<SeeOther> {
  const { id } = await getQr(deps, context, query.get("code") ?? "");
  const options = query.get("format") === "png" ? "format=png&size=1024" : "format=svg";
  return {
    seeOther: `/dashboard/codes/${id}/image?${options}&download`,
    firstCode: { id, isDownloaded: true },
  };
}

/** Ends the first steps. */
export const hideFirstSteps = (): SeeOther => ({ seeOther: "/dashboard", firstCode: null });

/** The most recently changed codes. */
function Changes({ codes, timeZone }: { codes: readonly Qr[]; timeZone: string }) {
  return (
    <section class="card recent" aria-labelledby="changes">
      <h2 id="changes">Recently updated</h2>
      <ul class="plain changes">
        {codes.map((qr) => (
          <li>
            <Thumbnail qr={qr} size={28} />
            <a class="name" dir="auto" href={`/dashboard/codes/${qr.id}`}>
              {codeTitle(qr)}
            </a>
            <span class="small quiet">
              {qr.updatedAt === qr.createdAt ? "Created" : "Updated"} {formatDate(qr.updatedAt, timeZone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
