import { limits } from "../../contract/limits.ts";
import type { ColorChanges, ColorConfig } from "../../contract/resources/codes/qr.ts";
import type { Shape } from "../../contract/resources/enums.ts";
import { isSmall } from "../../contract/resources/free-form.ts";
import { type Advanced, designProperties } from "../../contract/resources/images/design.ts";
import { mergePatch, sameJson } from "../../lib/text/json.ts";
import { findLogo, keptLogosQuery, type LogoRow } from "../../store/logos/logos.ts";
import { answerAll } from "../../store/queries.ts";
import { findTemplate, type TemplateRow, templatesQuery } from "../../store/templates/templates.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { notInPlanError, planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { compactAddress } from "../images/address.ts";
import { requireDrawable } from "../images/design.ts";
import type { LogoShape } from "../images/symbols.ts";

/** The fields of a request that set the style of a code or template. */
export interface StyleInput {
  readonly templateId?: string | null | undefined;
  readonly colorConfig?: ColorChanges | null | undefined;
  readonly shape?: Shape | null | undefined;
  /** Properties to merge; null removes all. */
  readonly advanced?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The rows that inputs refer to. */
export interface StyleReferences {
  /** Templates, by id. */
  readonly templates: ReadonlyMap<string, TemplateRow>;
  /** Logos of the workspace, by id: those that inputs name, and those of the templates. */
  readonly logos: ReadonlyMap<string, LogoShape>;
  /** Whether this installation's addresses can be written in upper case. */
  readonly canBeCompact: boolean;
}

/** Looks up the template and the logo that an input refers to. The logo is kept for at least another day. */
export async function loadStyleReferences(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { templateId, advanced }: StyleInput,
): Promise<StyleReferences> {
  const { db } = deps;
  const logoId = logoIdIn(advanced);
  const { templates, logos } = await answerAll<{
    readonly templates: ReadonlyMap<string, TemplateRow>;
    readonly logos: readonly LogoRow[];
  }>(
    db,
    {
      templates: templateId ? templatesQuery(db, workspaceId, [templateId]) : null,
      logos: logoId ? keptLogosQuery(db, workspaceId, [logoId], deps.now()) : null,
    },
    { templates: new Map(), logos: [] },
  );
  return styleReferences(deps, templates, logos);
}

/** Returns what styles refer to. @param logos that they name */
export function styleReferences(
  { settings }: Deps,
  templates: StyleReferences["templates"],
  logos: readonly LogoRow[],
): StyleReferences {
  const ofTemplates = [...templates.values()].flatMap(({ logoId, logoSize }) =>
    logoId === null || logoSize === null ? [] : [{ id: logoId, size: logoSize }],
  );
  return {
    templates,
    logos: new Map([...ofTemplates, ...logos].map((logo): [string, LogoShape] => [logo.id, logo])),
    canBeCompact: compactAddress(`${settings.scanOrigin}/`) !== undefined,
  };
}

/** Returns the logo of a style about to be saved; undefined for none. @param references logos that are known already */
export async function findStyleLogo(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  logoId: string | null,
  references?: Pick<StyleReferences, "logos">,
): Promise<LogoShape | undefined> {
  return logoId === null
    ? undefined
    : (references?.logos.get(logoId) ?? findLogo(deps.db, workspaceId, logoId));
}

/** An input with the values that its template and logo add. */
export type Styled<T> = T & {
  /** All colours of the code, if the template has any: the template's, overridden by the input's. */
  readonly templateColors?: ColorConfig;
  /** All of `advanced`, if a template was applied. */
  readonly templateAdvanced?: Advanced | null;
  /** Null for none. */
  readonly logoId?: string | null;
};

/**
 * Completes an input with its template's values; the input's own take precedence.
 * @param before `advanced` of the code being changed
 * @throws plan_limit for features that the plan doesn't include; invalid_input for an unknown template or logo, and if
 * phones can't scan the combination of input and template
 */
export function applyStyle<T extends StyleInput>(
  context: WorkspaceContext,
  input: T,
  { templates, logos, canBeCompact }: StyleReferences,
  before: Advanced | null = null,
): Styled<T> {
  requireDesignInPlan(context, input.advanced, before);
  if (input.advanced?.compact === true && !canBeCompact) {
    throw invalid(
      "advanced.compact",
      "can't be true here. The host of this service has characters that a compact code can't hold.",
    );
  }
  const logoId = chosenLogo(input.advanced, logos, before);
  if (!input.templateId) return { ...input, ...(logoId !== undefined && { logoId }) };
  requireTemplatesInPlan(context);
  const template = templates.get(input.templateId);
  if (template === undefined) throw invalid("templateId", "isn't a template of this workspace");
  const colors: ColorConfig = mergePatch({ ...template.colorConfig }, { ...input.colorConfig });
  const templateAdvanced = withTemplate(before, template.advanced, input.advanced);
  // Input and template may each be scannable, but not in combination.
  requireDrawable({ colorConfig: colors, advanced: templateAdvanced });
  return {
    ...input,
    ...(template.colorConfig !== null && { templateColors: colors }),
    ...(input.shape === undefined && template.shape !== null ? { shape: template.shape } : {}),
    templateAdvanced,
    logoId: logoId === undefined ? template.logoId : logoId,
  };
}

/** How a code or a template looks. */
export interface CodeStyle {
  readonly colorConfig: ColorConfig | null;
  readonly shape: Shape | null;
  readonly advanced: Advanced | null;
  readonly logoId: string | null;
}

/** The style of a code that sets none. */
export const noStyle: CodeStyle = { colorConfig: null, shape: null, advanced: null, logoId: null };

/** The style of a code to which a template is applied; undefined if the workspace has no such template. */
export async function styleOfTemplate(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
  { colorConfig, shape, advanced }: CodeStyle,
): Promise<CodeStyle | undefined> {
  const template = await findTemplate(deps.db, workspaceId, id);
  return (
    template && {
      colorConfig: template.colorConfig ?? colorConfig,
      shape: template.shape ?? shape,
      advanced: withTemplate(advanced, template.advanced, undefined),
      logoId: template.logoId,
    }
  );
}

/**
 * Returns `advanced` after applying a template: the template's design replaces the existing one, overridden by the
 * input's properties. A template without a design keeps the code's, apart from its logo.
 */
function withTemplate(
  before: Advanced | null,
  ofTemplate: Advanced | null,
  input: StyleInput["advanced"],
): Advanced | null {
  const own = Object.entries(input === null ? {} : { ...before }).filter(([name]) => !isDesignProperty(name));
  const base = ofTemplate === null ? withoutLogoId(input === null ? null : before) : Object.fromEntries(own);
  const merged = mergePatch(mergePatch(base, { ...ofTemplate }), { ...input });
  requireSmall(merged);
  return Object.keys(merged).length === 0 ? null : merged;
}

/** @throws invalid_input if the object has become too large */
function requireSmall(advanced: object): void {
  if (isSmall(advanced)) return;
  throw invalid(
    "advanced",
    `can have at most ${limits.freeForm.bytes} bytes of JSON, including the template's`,
  );
}

const isDesignProperty = (name: string): boolean =>
  designProperties.some((property) => property.name === name);

export const withoutLogoId = (advanced: Advanced | null): Record<string, unknown> =>
  advanced?.logo === undefined ? { ...advanced } : mergePatch(advanced, { logo: { id: null } });

/** Returns the id of the logo named in `advanced`; null if it removes the logo. */
export function logoIdIn(advanced: StyleInput["advanced"]): string | null | undefined {
  const logo = advanced?.logo as { readonly id?: unknown } | null | undefined;
  if (logo === null || logo?.id === null) return null;
  return typeof logo?.id === "string" ? logo.id : undefined;
}

/** Returns a code's logo after a change of `advanced`; undefined if it stays the same. */
function chosenLogo(
  advanced: StyleInput["advanced"],
  logos: StyleReferences["logos"],
  before: Advanced | null,
): string | null | undefined {
  if (advanced === null) return before?.logo?.id === undefined ? undefined : null;
  const id = logoIdIn(advanced);
  if (typeof id === "string" && !logos.has(id)) {
    throw invalid("advanced.logo.id", "isn't a logo of this workspace");
  }
  return id;
}

/** @throws plan_limit for a design property that the plan doesn't include, unless the code already has it */
export function requireDesignInPlan(
  context: WorkspaceContext,
  advanced: StyleInput["advanced"],
  before: Advanced | null,
): void {
  if (!advanced || planOf(context).fullDesign) return;
  const given = designProperties.find(
    ({ name, isPlain }) =>
      !isPlain && (advanced[name] ?? null) !== null && !sameJson(advanced[name], before?.[name]),
  );
  if (given !== undefined) {
    throw notInPlanError(context, `advanced.${given.name}`, "Leave it out, or upgrade.");
  }
}

/** @throws plan_limit on a plan without templates */
export function requireTemplatesInPlan(context: WorkspaceContext): void {
  if (!planOf(context).fullDesign) {
    throw notInPlanError(context, "design templates", "Upgrade to use them.");
  }
}
