import type * as z from "zod";
import { strayFields } from "./ignored-fields.ts";
import { shortened } from "./issues.ts";
import { limits } from "./limits.ts";
import { meantBy } from "./misspelled-fields.ts";

/**
 * Describes the unknown fields of an input, at any depth, each once: with the field that was probably meant, or with
 * all known ones. For inputs in which nothing is ignored.
 */
export function unknownFields(schema: z.ZodType, input: unknown): string[] {
  const problems = new Set<string>();
  for (const { at, name, shape } of strayFields(schema, input, { strict: true })) {
    const known = Object.keys(shape);
    const meant = likelyMeant(name, known);
    const path = at === "" ? shortened(name) : `${at}.${shortened(name)}`;
    const choices = known.map((each) => `\`${each}\``).join(", ");
    const advice = meant === undefined ? `This takes ${choices || "none"}.` : `Did you mean \`${meant}\`?`;
    problems.add(`Unknown field \`${path}\`. ${advice}`);
    if (problems.size === limits.ignoredFields.count) break;
  }
  return [...problems];
}

/** Other words, in lower case, that people and programs have for our fields. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  name: ["label", "title"],
  data: ["url", "link", "destination", "target"],
  tags: ["labels"],
  hash: ["slug", "shortname"],
  externalId: ["ownid", "sku"],
  qrType: ["type"],
  id: ["jobid", "printjobid", "entryid", "proposalid", "qrid", "codeid"],
  ids: ["codes"],
  q: ["query", "search", "text"],
};

function likelyMeant(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  return (
    meantBy(given, known) ??
    known.find((name) => otherNames[name]?.includes(word)) ??
    known.find((name) => word.length > 2 && name.toLowerCase().startsWith(word))
  );
}
