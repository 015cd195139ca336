import { limits } from "../../contract/limits.ts";
import { notFound } from "../../domain/errors.ts";
import { searchTags } from "../../domain/folders/tags.ts";
import type { DashboardRequest } from "../frame/request.ts";
import type { Source } from "./choices.ts";
import { folderSource, pageSource } from "./sources.ts";

type Suggestion = readonly [value: string, text: string];

/** Suggestions are meant for choosing from, not for reading through. */
const most = Math.min(50, limits.choices);

const fromSource =
  (source: Source<{ readonly id: string; readonly name: string }>) =>
  async (request: DashboardRequest, text: string): Promise<readonly Suggestion[]> => {
    const found = await (text === "" ? source.newest(request, most) : source.find(request, text, most));
    return found.map(({ id, name }) => [id, name]);
  };

const kinds: Readonly<
  Record<string, (request: DashboardRequest, text: string) => Promise<readonly Suggestion[]>>
> = {
  folders: fromSource(folderSource),
  pages: fromSource(pageSource),
  tags: async ({ deps, context }, text) =>
    (await searchTags(deps, context, text, most)).map((tag) => [tag, tag]),
};

/** Returns values that a combobox offers for a text, with their names. @throws not_found for an unknown kind */
export async function suggestions(request: DashboardRequest): Promise<Response> {
  const kind = request.param("kind");
  const find = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (find === undefined) throw notFound("list of choices");
  const text = request.query.get("q")?.trim() ?? "";
  return Response.json(await find(request, text), { headers: { "cache-control": "no-store" } });
}
