import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { listTemplates } from "../../domain/images/templates.ts";
import { listPages } from "../../domain/pages/pages.ts";
import { type FolderChoices, folderChoices } from "../folders/choices.ts";
import type { Visit } from "../frame/visit.ts";

type Choices = readonly (readonly [id: string, name: string])[];

/** What a code's form lets people choose from. */
export interface FormChoices {
  readonly folders: FolderChoices;
  readonly templates: Choices;
  readonly pages: Choices;
}

/** Reads what the form of a type needs. @param values of its fields */
export async function formChoices(visit: Visit, type: QrType, values: URLSearchParams): Promise<FormChoices> {
  const { deps, owner } = visit;
  const [folders, { templates }, { items: pages }] = await Promise.all([
    folderChoices(visit, values),
    plans[owner.plan].fullDesign ? listTemplates(deps, owner) : { templates: [] },
    type === "servicepage"
      ? listPages(deps, owner, { cursor: undefined, limit: limits.pageList.max })
      : { items: [] },
  ]);
  return {
    folders,
    templates: templates.map(({ id, name }) => [id, name]),
    pages: pages.map(({ id, title }) => [id, title]),
  };
}
