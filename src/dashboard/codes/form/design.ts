import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { type CodeStyle, noStyle, styleOfTemplate } from "../../../domain/templates/styles.ts";
import { designValues, type StyleChanges, styleChanges } from "../../design/fields.ts";
import { filled } from "../../design/fill.ts";
import type { DashboardRequest } from "../../frame/request.ts";

/*
 * A template fills in the options of a form, where they can be changed. The field `applied` names it, so that saving
 * sends the template and the differences from it. Without scripts, a template that is chosen but not filled in is
 * applied below the changes to the code's own options.
 */

/** Returns the style of the code that a form shows. A new code's style is empty. */
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

/** Returns the style with which a form's options began: the code's own, or that of the template that filled them in. */
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
 * Reads a form's changes to a code's style.
 * @param base as returned by `baseStyle`
 * @param templateId of the code
 */
export function readStyle(form: URLSearchParams, base: CodeStyle, templateId: string | null): StyleOfForm {
  const chosen = form.get("templateId") ?? templateId ?? "";
  const isNew = appliedTemplate(form) !== "" || chosen !== (templateId ?? "");
  return {
    ...(isNew && { templateId: chosen === "" ? null : chosen }),
    ...styleChanges(form, base),
  };
}

/** Returns a form filled in from the chosen template. Without a template, its options are unchanged. */
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

/** Returns a form after one of the buttons that don't save was pressed. */
export const changedForm = async (
  request: DashboardRequest,
  form: URLSearchParams,
  own: CodeStyle,
): Promise<URLSearchParams> =>
  form.get("change") === "template" ? withTemplate(request, form, own) : filled(form);
