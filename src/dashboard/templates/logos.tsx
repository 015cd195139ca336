import { plans } from "../../contract/plans.ts";
import {
  getLogoUses,
  listLogos,
  type LogoUses,
  removeLogo as remove,
} from "../../domain/templates/logo-library.ts";
import { getLogo } from "../../domain/templates/logos.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import { codeCountWithNoun, formatCount, formatNumber } from "../components/values/format.ts";
import { Confirm } from "../components/forms/confirm.tsx";
import { Empty } from "../components/empty.tsx";
import type { FormState } from "../components/forms/form.ts";
import { Head } from "../components/head.tsx";
import { Problems } from "../components/forms/problems.tsx";
import type { Rejection } from "../frame/submit-form.ts";
import type { DashboardResponse, PageResponse, SeeOther, DashboardRequest } from "../frame/request.ts";
import { LogoUpload } from "./logo-upload.tsx";
import { keepUpload, logoField, logoLabel } from "./upload.ts";

const path = "/dashboard/templates/logos";
const back = { path, name: "Logos" } as const;

export const logoAddress = ({ id }: Pick<LogoUses, "id">): string => `${path}/${id}`;

/** The logos of the workspace with what uses them, and the form to upload one. */
export const logoList = (request: DashboardRequest): Promise<PageResponse> => show(request);

/** Stores an uploaded logo; shows the form again if that fails. */
export async function saveLogo(request: DashboardRequest): Promise<DashboardResponse> {
  const upload = await keepUpload(request);
  if (upload === undefined) {
    return show(request, { problems: { [logoField]: "Choose a file." }, status: 400 });
  }
  if ("rejection" in upload) return show(request, upload.rejection);
  return { seeOther: path, flash: "logoUploaded" };
}

async function show(request: DashboardRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, context } = request;
  const logos = await listLogos(deps, context);
  const form: FormState = { values: request.form, problems: rejection?.problems ?? {} };
  return {
    title: rejection === undefined ? "Logos" : "Problem: logos",
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title="Logos" back={{ path: "/dashboard/templates", name: "Templates" }} />
        <Problems form={form} labels={{ [logoField]: logoLabel }} />
        {logos.length === 0 ? (
          <Empty
            title="No logos yet"
            text="A logo is drawn in the middle of the codes whose template has it. Codes stay readable: they get more error correction."
          />
        ) : (
          <ul class="plain logos">
            {logos.map((logo, i) => (
              <LogoCard logo={logo} number={i + 1} />
            ))}
          </ul>
        )}
        {plans[context.plan].fullDesign && (
          <form class="card below" method="post" enctype="multipart/form-data" novalidate>
            <h2>New logo</h2>
            <LogoUpload form={form} required />
            <button class="button primary" type="submit">
              Upload logo
            </button>
          </form>
        )}
      </>
    ),
  };
}

const typeNames = { "image/png": "PNG", "image/svg+xml": "SVG" } as const;

function LogoCard({ logo, number }: { logo: LogoUses; number: number }) {
  const { mediaType, bytes, templates, codes } = logo;
  const isUsed = templates.length > 0 || codes > 0;
  return (
    <li>
      <span class="logo">
        <img src={logoAddress(logo)} alt={`Logo ${number}`} width="56" height="56" loading="lazy" />
      </span>
      <div>
        <p class="small quiet">
          {typeNames[mediaType]}, {formatNumber(Math.ceil(bytes / 1024))} KiB
        </p>
        {templates.length > 0 && (
          <p>
            In{" "}
            {templates.map(({ id, name }, i) => (
              <>
                {i > 0 && ", "}
                <a href={`/dashboard/templates/${id}/edit`}>{name}</a>
              </>
            ))}
          </p>
        )}
        {codes > 0 && <p>On {codeCountWithNoun(codes)}</p>}
        {!isUsed && <p>Not in use. It is deleted after a day without use.</p>}
      </div>
      {templates.length > 0 && (
        <a class="button" href={`${logoAddress(logo)}/remove`}>
          Remove<span class="visually-hidden"> logo {number}</span>
        </a>
      )}
    </li>
  );
}

/** A logo as a file. @throws not_found */
export async function logoFile({ deps, context, param }: DashboardRequest): Promise<Response> {
  const file = await getLogo(deps, context, param("id"));
  return new Response(await file.draw(), {
    headers: { ...fileHeaders(file), "content-type": file.mediaType, "cache-control": "no-store" },
  });
}

/** Asks whether to take a logo from its templates. @throws not_found */
export async function confirmLogoRemoval({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const logo = await getLogoUses(deps, context, param("id"));
  const { templates, codes } = logo;
  const title = "Remove this logo?";
  return {
    title,
    content: (
      <Confirm title={title} action="Remove the logo" back={back}>
        <p>
          <span class="logo">
            <img src={logoAddress(logo)} alt="The logo" width="56" height="56" />
          </span>
        </p>
        <p>
          {templates.length === 0 ? (
            "No template has this logo."
          ) : (
            <>
              <strong>{formatCount(templates.length, "template loses", "templates lose")} it:</strong>{" "}
              {templates.map(({ name }) => name).join(", ")}.
            </>
          )}
        </p>
        {codes > 0 && (
          <p>
            {codeCountWithNoun(codes)} {codes === 1 ? "keeps" : "keep"} it, deleted ones that can be restored
            included. To change a code's logo, apply a template to the code.
          </p>
        )}
        <p>The file is deleted after a day on which nothing used it.</p>
      </Confirm>
    ),
  };
}

/** Takes a logo from its templates. @throws not_found */
export async function removeLogo({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await remove(deps, context, param("id"));
  return { seeOther: path, flash: "logoRemoved" };
}
