import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { listFolders } from "../../domain/codes/folders.ts";
import { listTemplates } from "../../domain/images/templates.ts";
import { listPages } from "../../domain/pages/pages.ts";
import type { Visit } from "../frame/visit.ts";

type Choices = readonly (readonly [id: string, name: string])[];

/** What a code's form lets people choose from. */
export interface FormChoices {
  readonly folders: Choices;
  readonly templates: Choices;
  readonly pages: Choices;
}

/** Reads what the form of a type needs. */
export async function formChoices({ deps, owner }: Visit, type: QrType): Promise<FormChoices> {
  const [{ folders }, { templates }, { items: pages }] = await Promise.all([
    listFolders(deps, owner),
    plans[owner.plan].fullDesign ? listTemplates(deps, owner) : { templates: [] },
    type === "servicepage"
      ? listPages(deps, owner, { cursor: undefined, limit: limits.pageList.max })
      : { items: [] },
  ]);
  return {
    folders: folders.map(({ id, name }) => [id, name]),
    templates: templates.map(({ id, name }) => [id, name]),
    pages: pages.map(({ id, title }) => [id, title]),
  };
}
