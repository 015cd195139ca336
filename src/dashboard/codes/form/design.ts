import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { type CodeStyle, noStyle, styleOfTemplate } from "../../../domain/templates/styles.ts";
import { designValues, type StyleChanges, styleChanges } from "../../design/fields.ts";
import { filled } from "../../design/fill.ts";
import type { DashboardRequest } from "../../frame/request.ts";

/*
 * A template fills in the options of a form, where they can be changed. The field `applied` names it, so that saving sends the
 * template and what differs from it. Without scripts, a template that is chosen but not filled in is applied below what was
 * changed of the code's own options.
 */

/** The style of the code that a form shows; that of a new one sets nothing. */
export const ownStyle = (edited: Pick<VersionedQr, "qr" | "logoId"> | undefined): CodeStyle =>
  edited === undefined
    ? noStyle
    : {
        colorConfig: edited.qr.colorConfig,
        shape: edited.qr.shape,
        advanced: edited.qr.advanced,
        logoId: edited.logoId,
      };

const appliedTemplate = (form: URLSearchParams): string =>
  (form.get("templateId") ?? "") === "" ? "" : (form.get("applied") ?? "");

/** The style that the options of a form began with: the code's own, or that of the template that filled them in. */
export async function baseStyle(
  { deps, context }: DashboardRequest,
  form: URLSearchParams,
  own: CodeStyle,
): Promise<CodeStyle> {
  const applied = appliedTemplate(form);
  return (applied === "" ? undefined : await styleOfTemplate(deps, context, applied, own)) ?? own;
}

interface StyleOfForm extends StyleChanges {
  readonly templateId?: string | null;
}

/**
 * What a form sets of a code's style.
 * @param base as `baseStyle`
 * @param templateId that the code has
 */
export function readStyle(form: URLSearchParams, base: CodeStyle, templateId: string | null): StyleOfForm {
  const chosen = form.get("templateId") ?? templateId ?? "";
  const isNew = appliedTemplate(form) !== "" || chosen !== (templateId ?? "");
  return {
    ...(isNew && { templateId: chosen === "" ? null : chosen }),
    ...styleChanges(form, base),
  };
}

/** A form whose options are those of the template that is chosen in it. Without a template, they stay as they are. */
export async function withTemplate(
  { deps, context }: DashboardRequest,
  form: URLSearchParams,
  own: CodeStyle,
): Promise<URLSearchParams> {
  const id = form.get("templateId") ?? "";
  const style = id === "" ? undefined : await styleOfTemplate(deps, context, id, own);
  const result = new URLSearchParams(form);
  result.delete("applied");
  if (style === undefined) return result;
  for (const [name, value] of Object.entries(designValues(style))) result.set(name, value);
  result.set("applied", id);
  return result;
}

/** A form after one of its buttons that save nothing was pressed. */
export const changedForm = async (
  request: DashboardRequest,
  form: URLSearchParams,
  own: CodeStyle,
): Promise<URLSearchParams> =>
  form.get("change") === "template" ? withTemplate(request, form, own) : filled(form);
