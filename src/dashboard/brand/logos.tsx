import { limits } from "../../contract/limits.ts";
import { type BrandLogo, BrandLogoUpdate } from "../../contract/resources/images/brand.ts";
import {
  getLogoUses,
  type LogoUses,
  deleteLogo as remove,
  renameLogo as rename,
} from "../../domain/brand/logos.ts";
import { getLogo } from "../../domain/logos/logos.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import { RowMenu } from "../../ui/menu.tsx";
import { codeCountWithNoun, formatNumber } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import { confirmPage, namePage } from "../frame/form-page.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { brandPath, logoAddress } from "./addresses.ts";

const back = { path: brandPath, name: "Brand" } as const;

/** Logos as they are printed, on white, with the codes and templates that use them. */
export const LogoGrid = ({ logos }: { logos: readonly LogoUses[] }) => (
  <ul class="plain brand-logos">
    {logos.map((logo, i) => (
      <LogoCard logo={logo} title={logo.name ?? `Logo ${i + 1}`} />
    ))}
  </ul>
);

function LogoCard({ logo, title }: { logo: LogoUses; title: string }) {
  const address = logoAddress(logo);
  return (
    <li>
      <span class="picture">
        <img src={address} alt="" width="128" height="96" loading="lazy" />
      </span>
      <div>
        <p class="name" dir="auto">
          {title}
        </p>
        <p class="small quiet">
          {typeNames[logo.mediaType]}, {formatNumber(Math.ceil(logo.bytes / 1024))} KiB
        </p>
        <p class="small quiet">
          {isUsed(logo) ? (
            <>
              Used in <Uses logo={logo} />
            </>
          ) : (
            "Not in use"
          )}
        </p>
      </div>
      <RowMenu
        name={title}
        items={
          logo.name === null
            ? [["Add to brand", "plus", `${address}/edit`]]
            : [["Rename", "pencil", `${address}/edit`], "divider", ["Delete", "trash", `${address}/delete`]]
        }
      />
    </li>
  );
}

const typeNames = { "image/png": "PNG", "image/svg+xml": "SVG" } as const satisfies Record<
  BrandLogo["mediaType"],
  string
>;

const isUsed = ({ templates, codes }: LogoUses): boolean => templates.length > 0 || codes > 0;

/** Describes the templates and codes that use a logo. */
function Uses({ logo: { templates, codes } }: { logo: LogoUses }) {
  return (
    <>
      {templates.map(({ id, name }, i) => (
        <>
          {i > 0 && ", "}
          <a href={`/dashboard/templates/${id}/edit`} dir="auto">
            {name}
          </a>
        </>
      ))}
      {templates.length > 0 && codes > 0 && ", "}
      {codes > 0 && codeCountWithNoun(codes)}
    </>
  );
}

/** Returns a logo as a file. @throws not_found */
export async function logoFile({ deps, context, param }: DashboardRequest): Promise<Response> {
  const file = await getLogo(deps, context, param("id"));
  return new Response(await file.draw(), {
    headers: { ...fileHeaders(file), "content-type": file.mediaType, "cache-control": "no-store" },
  });
}

/** The form to name a logo. @throws not_found */
export async function editLogo({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const logo = await getLogoUses(deps, context, param("id"));
  return nameOf(logo, new URLSearchParams({ name: logo.name ?? "" }));
}

/** Names a logo, which adds it to the brand; shows the form again if that fails. @throws not_found */
export async function saveLogoName(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form, param } = request;
  const logo = await getLogoUses(deps, context, param("id"));
  const outcome = await submitForm(BrandLogoUpdate, { name: form.get("name") ?? "" }, ({ name }) =>
    rename(deps, context, logo.id, name),
  );
  if ("rejection" in outcome) return nameOf(logo, form, outcome.rejection);
  return { seeOther: brandPath, flash: logo.name === null ? "logoAdded" : "logoRenamed" };
}

const nameOf = ({ name }: LogoUses, values: URLSearchParams, rejection?: Rejection): PageResponse =>
  namePage({
    title: name === null ? "Add logo to brand" : `Rename logo ${name}`,
    submit: name === null ? "Add logo" : "Rename logo",
    ...{ back, values, rejection, name: "name", maxLength: limits.brand.name },
  });

export const deleteLogo = change(remove, brandPath, "logoDeleted");

/** Asks for confirmation before deleting a logo from the brand. @throws not_found */
export const confirmLogoDeletion: Answer = async ({ deps, context, param }) => {
  const logo = await getLogoUses(deps, context, param("id"));
  const what = logo.name === null ? "this logo" : `logo ${logo.name}`;
  return confirmPage(
    { title: `Delete ${what}?`, action: "Delete logo", back },
    <>
      <p>
        <span class="logo">
          <img src={logoAddress(logo)} alt="" width="56" height="56" />
        </span>
      </p>
      <p>
        <strong>It is no longer offered in designs.</strong> A deleted logo can't be restored.
      </p>
      {isUsed(logo) ? (
        <p>
          Kept where it is in use: <Uses logo={logo} />. To replace it, choose another logo there.
        </p>
      ) : (
        <p>No code or template uses it.</p>
      )}
    </>,
  );
};
