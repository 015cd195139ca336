import { plans } from "../../../contract/plans.ts";
import type { Domain } from "../../../contract/resources/domains.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { brandOf } from "../../../domain/brand/brand.ts";
import { type LogoUses, listLogos } from "../../../domain/brand/logos.ts";
import { listDomains } from "../../../domain/domains/domains.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { listTemplates } from "../../../domain/templates/templates.ts";
import { type Choices, choicesOf, type Item } from "../../choices/choices.ts";
import { folderSource, pageSource } from "../../choices/sources.ts";
import type { BrandColors } from "../../design/color-chips.tsx";
import { type Look, looksOf } from "../../design/looks.tsx";
import type { DashboardRequest } from "../../frame/request.ts";

/** The folders, pages, templates and domains that a code's form offers. */
export interface FormChoices {
  readonly folders: Choices<ListedFolder>;
  readonly templates: readonly (readonly [id: string, name: string])[];
  /** The workspace's logos, and its colours. */
  readonly logos: readonly LogoUses[];
  readonly colors: BrandColors;
  readonly pages: Choices<Item>;
  readonly domains: readonly Domain[];
  readonly looks: readonly Look[];
}

/** Reads what the form of a type needs. @param values of its fields */
export async function formChoices(
  request: DashboardRequest,
  type: QrType,
  values: URLSearchParams,
): Promise<FormChoices> {
  const { deps, context } = request;
  const { fullDesign } = plans[context.plan];
  const [folders, { templates }, logos, { colors }, pages, { domains }] = await Promise.all([
    choicesOf(folderSource, request, values),
    fullDesign ? listTemplates(deps, context) : { templates: [] },
    fullDesign ? listLogos(deps, context) : [],
    brandOf(deps, context),
    type === "servicepage" ? choicesOf(pageSource, request, values) : { items: [], hasMore: false },
    listDomains(deps, context),
  ]);
  const chosenLogo = logos.find(({ id }) => id === values.get("advanced.logo.id"))?.id;
  return {
    looks: looksOf({ plan: plans[context.plan], colors, logos }, chosenLogo),
    folders,
    templates: templates.map(({ id, name }) => [id, name]),
    logos,
    colors,
    pages,
    domains,
  };
}
