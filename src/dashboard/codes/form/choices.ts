import { plans } from "../../../contract/plans.ts";
import type { QrType } from "../../../contract/resources/enums.ts";
import { listTemplates } from "../../../domain/templates/templates.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { type Choices, choicesOf, type Item } from "../../choices/choices.ts";
import { folderSource, pageSource } from "../../choices/sources.ts";
import type { DashboardRequest } from "../../frame/request.ts";

/** The folders, pages and templates that a code's form offers. */
export interface FormChoices {
  readonly folders: Choices<ListedFolder>;
  readonly templates: readonly (readonly [id: string, name: string])[];
  readonly pages: Choices<Item>;
}

/** Reads what the form of a type needs. @param values of its fields */
export async function formChoices(
  request: DashboardRequest,
  type: QrType,
  values: URLSearchParams,
): Promise<FormChoices> {
  const { deps, context } = request;
  const [folders, { templates }, pages] = await Promise.all([
    choicesOf(folderSource, request, values),
    plans[context.plan].fullDesign ? listTemplates(deps, context) : { templates: [] },
    type === "servicepage" ? choicesOf(pageSource, request, values) : { items: [], hasMore: false },
  ]);
  return {
    folders,
    templates: templates.map(({ id, name }) => [id, name]),
    pages,
  };
}
