import { limits } from "../../contract/limits.ts";
import { type Block, type PageContent, PageInput } from "../../contract/resources/pages.ts";
import type { Deps } from "../../domain/deps.ts";
import { withValidAddresses } from "../../domain/pages/content.ts";
import { imageHeaders, openPreviewImage } from "../../domain/pages/images.ts";
import { requirePagesInPlan } from "../../domain/pages/plan.ts";
import { type PreviewParts, previewPage } from "../../hosted-pages/show.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { entryTypeOf, listNames } from "./entry-types.ts";
import { readPageForm } from "./form-values.ts";
import { readInput } from "./read-input.ts";

/**
 * Shows an unsaved page in a frame. Its elements carry the names that the editor has for its parts; unfinished blocks are
 * only outlined, and unfinished fields left out.
 * @throws plan_limit on a plan without hosted pages
 */
export async function pagePreview({ deps, context, form }: DashboardRequest): Promise<Response> {
  requirePagesInPlan(context);
  const { form: page, numbers } = readPageForm(form);
  const blocks = page.blocks.slice(0, limits.page.blocks);
  const fields = page.fields.slice(0, limits.page.fields);
  const { valid, parts } = await validParts(deps, readInput({ ...page, blocks, fields }));
  const ofDevice = form.get("device") === "dark" ? "dark" : "light";
  const content = { ...valid, scheme: valid.scheme === "auto" ? ofDevice : valid.scheme } as const;
  const { html, policy } = await previewPage(content, imageAddress, {
    blocks: parts.blocks.map((block, i) => {
      const name = entryTypeOf("blocks", blocks[i] ?? {})?.name ?? "Unknown";
      return { part: `${listNames.blocks}.${numbers.blocks[i]}`, block, name };
    }),
    fields: parts.fields.map((i) => `${listNames.fields}.${numbers.fields[i]}`),
  });
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

interface ValidParts {
  readonly valid: PageContent;
  readonly parts: {
    /** All blocks; null for those that aren't valid. */
    readonly blocks: readonly PreviewParts["blocks"][number]["block"][];
    /** Which fields are valid. */
    readonly fields: readonly number[];
  };
}

/** Returns the parts of a page that are valid on their own. */
async function validParts(deps: Deps, input: Record<string, unknown>): Promise<ValidParts> {
  const { title, intro, blocks, form, header, colors, look, scheme, language } = PageInput.shape;
  const fields = (input.form as { fields: unknown[] } | null)?.fields ?? [];
  const isValid = (field: unknown) => form.safeParse({ fields: [field] }).success;
  const validFields = fields.flatMap((field, i) => (isValid(field) ? [i] : []));
  const shown = validFields.map((i) => fields[i]);
  const content = {
    title: title.safeParse(input.title).data ?? "Untitled page",
    intro: intro.safeParse(input.intro).data ?? null,
    header: header.safeParse(input.header).data ?? null,
    look: look.safeParse(input.look).data ?? "plain",
    scheme: scheme.safeParse(input.scheme).data ?? "auto",
    form:
      shown.length === 0
        ? null
        : (form.safeParse({ ...(input.form as object), fields: shown }).data ??
          form.safeParse({ fields: shown }).data ??
          null),
    colors: colors.safeParse(input.colors).data ?? null,
    language: language.safeParse(input.language).data ?? "en",
  };
  const blockOf = async (block: unknown): Promise<Block | null> => {
    const [read] = blocks.safeParse([block]).data ?? [];
    const valid = read && (await withValidAddresses(deps, { ...content, blocks: [read] }));
    return valid?.blocks[0] ?? null;
  };
  return {
    valid: await withValidAddresses(deps, { ...content, blocks: [] }),
    parts: {
      blocks: await Promise.all((input.blocks as unknown[]).map(blockOf)),
      fields: content.form === null ? [] : validFields,
    },
  };
}

/**
 * Serves an image of an unsaved page, by the same rules as for saved pages.
 * @throws plan_limit on a plan without hosted pages; invalid_input for its address
 */
export async function pagePreviewImage({ deps, context, query }: DashboardRequest): Promise<Response> {
  requirePagesInPlan(context);
  const image = await openPreviewImage(deps, context, query.get("url") ?? "");
  if (image === "unavailable") {
    return new Response(null, { status: 502, headers: { "cache-control": "no-store" } });
  }
  const headers = { ...imageHeaders(image), "cache-control": "private, max-age=3600" };
  return new Response(image.body, { headers });
}
