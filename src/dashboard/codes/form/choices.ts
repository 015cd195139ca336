import { plans } from "../../../contract/plans.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { listTemplates } from "../../../domain/templates/templates.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { type Choices, choicesOf, type Item } from "../../choices/choices.ts";
import { folderSource, pageSource } from "../../choices/sources.ts";
import type { Visit } from "../../frame/visit.ts";

/** What a code's form lets people choose from. */
export interface FormChoices {
  readonly folders: Choices<ListedFolder>;
  readonly templates: readonly (readonly [id: string, name: string])[];
  readonly pages: Choices<Item>;
}

/** Reads what the form of a type needs. @param values of its fields */
export async function formChoices(visit: Visit, type: QrType, values: URLSearchParams): Promise<FormChoices> {
  const { deps, owner } = visit;
  const [folders, { templates }, pages] = await Promise.all([
    choicesOf(folderSource, visit, values),
    plans[owner.plan].fullDesign ? listTemplates(deps, owner) : { templates: [] },
    type === "servicepage" ? choicesOf(pageSource, visit, values) : { items: [], hasMore: false },
  ]);
  return {
    folders,
    templates: templates.map(({ id, name }) => [id, name]),
    pages,
  };
}
