import { QrCreateInput } from "../../../contract/resources/codes/qr.ts";
import { getVersionedQr, type VersionedQr } from "../../../domain/codes/codes.ts";
import { drawUnsaved, type UnsavedStyle, unsavedStyle } from "../../../domain/designing/preview.ts";
import { isInUse, listDomains } from "../../../domain/domains/domains.ts";
import { LookScore } from "../../design/looks.tsx";
import { type PictureState, PreviewPart, type PreviewState, pictureState } from "../../design/preview.tsx";
import { RatingPart, rate } from "../../design/score.tsx";
import type { DashboardRequest, Fragment } from "../../frame/request.ts";
import { baseStyle, ownStyle, readStyle } from "./design.ts";

/** A code's style and short link as the fields of its form say. */
export async function styleOf(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
): Promise<UnsavedStyle> {
  const { deps, context } = request;
  const base = await baseStyle(request, fields, ownStyle(edited));
  const input = readStyle(fields, base, edited?.qr.templateId ?? null);
  const [style, address] = await Promise.all([
    unsavedStyle(deps, context, edited?.qr.id, input),
    chosenAddress(request, fields, edited),
  ]);
  return { ...style, ...address };
}

/** Returns the parts of a code's short link that its form says. */
async function chosenAddress(
  { deps, context }: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
): Promise<Partial<Pick<UnsavedStyle, "hash" | "activeDomain">>> {
  const chosen = edited === undefined ? shortName.safeParse(fields.get("hash")?.trim()).data : undefined;
  const hash = chosen === undefined ? {} : { hash: chosen };
  const host = fields.get("domain") ?? "";
  if (host === "") return fields.has("domain") ? { ...hash, activeDomain: null } : hash;
  const { domains } = await listDomains(deps, context);
  const isActive = domains.some((domain) => domain.host === host && isInUse(domain));
  return { ...hash, activeDomain: isActive ? host : null };
}

const shortName = QrCreateInput.shape.hash;

function draw(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
): Promise<PictureState> {
  const { deps, context } = request;
  return pictureState(fields, async () => drawUnsaved(deps, context, await styleOf(request, fields, edited)));
}

/**
 * The design as shown by the form of a code.
 * @param edited the code that is edited
 * @param mode whether to measure it
 */
export async function previewOf(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
  mode: "measure" | "at once",
): Promise<PreviewState> {
  const { deps, context } = request;
  const [picture, rating] = await Promise.all([
    draw(request, fields, edited),
    rate(deps, context, () => styleOf(request, fields, edited), mode),
  ]);
  return { picture, rating };
}

export async function editedCode({
  deps,
  context,
  query,
}: DashboardRequest): Promise<VersionedQr | undefined> {
  const id = query.get("id") ?? "";
  return id === "" ? undefined : getVersionedQr(deps, context, id);
}

/** Redraws the preview while a form is filled in. */
export async function codePreview(request: DashboardRequest): Promise<Fragment> {
  const edited = await editedCode(request);
  const picture = await draw(request, request.query, edited);
  return { fragment: <PreviewPart picture={picture} fields={request.query} /> };
}

/** The requests of the form of a code. */
export function previewRequests(edited: VersionedQr | undefined) {
  const query = edited === undefined ? "" : `?id=${edited.qr.id}`;
  const include = { "hx-include": `#design, ${address}` };
  return {
    image: { "hx-get": `/dashboard/codes/preview${query}`, ...include },
    score: { "hx-get": `/dashboard/codes/score${query}`, ...include },
    proof: { "hx-get": `/dashboard/codes/proof${query}`, ...include },
  };
}

/**
 * The fields of the short link, on which the size of the code depends, and those of which a form always has one: htmx
 * warns of a selector that finds nothing.
 */
const addressFields = ["hash", "domain", "key", "version"] as const;
const address = addressFields.map((name) => `[name=${name}]`).join(", ");

/** Returns the request for the score of a look. @param values its fields */
export const lookRequest = (edited: VersionedQr | undefined, values: Readonly<Record<string, string>>) => ({
  "hx-get": `/dashboard/codes/score?${lookQuery(edited, { ...values, look: "" })}`,
  "hx-include": address,
});

/** Returns the address of the drawing of a look, as the code of a form. */
export function lookAddress(
  edited: VersionedQr | undefined,
  form: URLSearchParams,
  values: Readonly<Record<string, string>>,
): string {
  const hash = shortName.safeParse(form.get("hash")).data ?? "";
  const given = { hash, domain: form.get("domain") ?? "" };
  return `/dashboard/codes/look.svg?${lookQuery(edited, { ...values, ...given })}`;
}

/** A new code has nothing that an empty field would take away. */
const lookQuery = (edited: VersionedQr | undefined, values: Readonly<Record<string, string>>) =>
  edited === undefined
    ? new URLSearchParams(Object.entries(values).filter(([name, value]) => value !== "" || name === "look"))
    : new URLSearchParams({ ...values, id: edited.qr.id });

/** Measures the design while a form is filled in, or one of the looks that it offers. */
export async function codeScore(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, query } = request;
  const edited = await editedCode(request);
  const rating = await rate(deps, context, () => styleOf(request, query, edited), "measure");
  if (query.has("look")) {
    const values = new URLSearchParams(query);
    for (const name of addressFields) values.delete(name);
    const again = lookRequest(edited, Object.fromEntries(values));
    return { fragment: <LookScore rating={rating} again={again} /> };
  }
  return { fragment: <RatingPart rating={rating} again={previewRequests(edited).score} /> };
}

/** Draws one of the looks as the code of its form. @throws as `unsavedStyle` */
export async function lookPicture(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const style = await styleOf(request, query, await editedCode(request));
  return new Response(await drawUnsaved(deps, context, style), {
    headers: {
      "content-type": "image/svg+xml",
      "cache-control": "private, max-age=3600",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    },
  });
}
