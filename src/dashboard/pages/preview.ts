import { limits } from "../../contract/limits.ts";
import { type PageContent, PageInput } from "../../contract/resources/pages.ts";
import { withValidAddresses } from "../../domain/pages/content.ts";
import { fetchPreviewImage, imageHeaders } from "../../domain/pages/images.ts";
import { requirePagesInPlan } from "../../domain/pages/resource.ts";
import type { Deps } from "../../domain/deps.ts";
import { previewPage } from "../../hosted-pages/show.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { readPageForm } from "./form-values.ts";
import { readInput } from "./read-input.ts";

/**
 * Shows an unsaved page in a frame, without incomplete entries.
 * @throws plan_limit on a plan without hosted pages
 */
export async function pagePreview({ deps, context, form }: DashboardRequest): Promise<Response> {
  requirePagesInPlan(context);
  const { form: page } = readPageForm(form);
  const blocks = page.blocks.slice(0, limits.page.blocks);
  const fields = page.fields.slice(0, limits.page.fields);
  const valid = validParts(deps, readInput({ ...page, blocks, fields }));
  const ofDevice = form.get("device") === "dark" ? "dark" : "light";
  const content = { ...valid, scheme: valid.scheme === "auto" ? ofDevice : valid.scheme } as const;
  const { html, policy } = await previewPage(content, imageAddress);
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
    },
  });
}

const imageAddress = (url: string): string => `/dashboard/pages/preview-image?url=${encodeURIComponent(url)}`;

/** Returns the parts of a page that are valid on their own. */
function validParts(deps: Deps, input: Record<string, unknown>): PageContent {
  const { title, intro, blocks, form, header, colors, look, scheme, language } = PageInput.shape;
  const fields = (input.form as { fields: unknown[] } | null)?.fields ?? [];
  const validFields = fields.filter((field) => form.safeParse({ fields: [field] }).success);
  const validBlocks = (input.blocks as unknown[]).flatMap((block) => blocks.safeParse([block]).data ?? []);
  return withValidAddresses(deps, {
    title: title.safeParse(input.title).data ?? "Untitled page",
    intro: intro.safeParse(input.intro).data ?? null,
    blocks: validBlocks,
    header: header.safeParse(input.header).data ?? null,
    look: look.safeParse(input.look).data ?? "plain",
    scheme: scheme.safeParse(input.scheme).data ?? "auto",
    form:
      validFields.length === 0
        ? null
        : (form.safeParse({ ...(input.form as object), fields: validFields }).data ??
          form.safeParse({ fields: validFields }).data ??
          null),
    colors: colors.safeParse(input.colors).data ?? null,
    language: language.safeParse(input.language).data ?? "en",
  });
}

/**
 * Serves an image of an unsaved page, fetched by the same rules as for saved pages.
 * @throws plan_limit on a plan without hosted pages; invalid_input for its address
 */
export async function pagePreviewImage({ deps, context, query }: DashboardRequest): Promise<Response> {
  requirePagesInPlan(context);
  const image = await fetchPreviewImage(deps, query.get("url") ?? "");
  if (image === "unavailable") {
    return new Response(null, { status: 502, headers: { "cache-control": "no-store" } });
  }
  const headers = { ...imageHeaders(image), "cache-control": "private, max-age=3600" };
  return new Response(image.body, { headers });
}
