import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import { BulkChange, BulkUpdateItem } from "../../contract/resources/codes/bulk-update.ts";
import { QrCreateInput, QrFilters, QrListQuery } from "../../contract/resources/codes/qr.ts";
import { QrSort, QrStatus, QrType, SortOrder } from "../../contract/resources/enums.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { readSelection } from "../../domain/codes/filter.ts";
import { getQrByOwnId } from "../../domain/codes/own-ids.ts";
import { readQuery, searchQr, withWords } from "../../domain/codes/search.ts";
import { invalid } from "../../domain/errors.ts";
import { examineCreation, examineRows, examineUpdate } from "../../domain/proposals/examine.ts";
import { brief } from "../json-schema.ts";
import { idOf, pageOf, pageSize, requireKnown, resultsOf, type ToolCall, tool } from "../tool.ts";
import { Answer, proposed, tokenInput } from "./changes.ts";

/** A code in a list. `get_code` has all of its fields. */
const Code = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  scanUrl: z.string().describe("The short link, which never changes"),
  externalId: z.string().nullable(),
  qrType: QrType,
  data: z.looseObject({ type: z.string() }).describe("Where scans lead"),
  status: QrStatus,
  folderId: z.string().nullable(),
  tags: z.array(z.string()),
  updatedAt: z.string(),
});

/** The filters of `GET /qr`. An id of a folder that can't exist is an error. */
const filters = {
  ...QrFilters.shape,
  folderId: idOf("a folder").optional(),
};

/** The filters that select codes. `find_codes` describes them. */
export const Filter = z.strictObject(brief(filters)).describe("As in find_codes; {} for all codes");

/** Reads a selection, whose filter finds the same codes as `find_codes`. @throws invalid_input */
export async function readSelected<Selection extends Parameters<typeof readSelection>[2]>(
  { deps, caller }: ToolCall,
  selection: Selection,
) {
  const { filter, ...others } = await readSelection(deps, caller, selection);
  return { ...others, filter: filter && (await withWords(deps, caller, filter)) };
}

const findCodes = tool({
  name: "find_codes",
  title: "Find codes",
  description: "Lists QR codes. Filters combine.",
  scopes: ["qr:read"],
  effect: "reads",
  input: z.strictObject({
    ...filters,
    sort: QrSort.optional(),
    order: SortOrder.optional(),
    cursor: QrListQuery.shape.cursor,
    limit: pageSize({ default: 20, max: limits.qrList.max }),
  }),
  output: pageOf(Code),
  async run({ deps, caller }, query) {
    const filter = await readQuery(deps, caller, query);
    const { items, nextCursor, searched } = await searchQr(deps, caller, filter, query.q ?? "");
    return {
      value: resultsOf(
        items.map((qr) => Code.parse(qr)),
        nextCursor,
        searched,
      ),
    };
  },
});

const getCode = tool({
  name: "get_code",
  title: "Get a code",
  description: "Returns all fields of a QR code, by id or externalId.",
  scopes: ["qr:read"],
  effect: "reads",
  input: z.strictObject({ id: idOf("a QR code").optional(), externalId: z.string().optional() }),
  output: z.looseObject(Code.shape),
  async run({ deps, caller }, { id, externalId }) {
    if (id !== undefined) return { value: { ...(await getQr(deps, caller, id)) } };
    if (externalId === undefined) throw invalid("id", "or externalId is required");
    return { value: { ...(await getQrByOwnId(deps, caller, externalId)).qr } };
  },
});

const NewCode = z
  .looseObject({
    qrType: QrType,
    data: z
      .looseObject({ type: z.string() })
      .describe('By type, with the same type inside, such as {"type": "url", "url": "example.com/menu"}'),
    name: z.string().optional(),
    externalId: z.string().optional().describe("The client's own id of it, such as an article number"),
    folderId: z.string().optional(),
    tags: z.array(z.string()).optional(),
    templateId: z.string().optional().describe("A design template"),
  })
  .describe("The other fields of POST /qr are accepted, too");

const createCodes = tool({
  name: "create_codes",
  title: "Create codes",
  description: `Creates 1 to ${limits.proposals.creations} QR codes. ${twoCalls("codes")}`,
  scopes: ["qr:write"],
  effect: "adds",
  input: z.strictObject({
    codes: z.array(NewCode).min(1).max(limits.proposals.creations).optional(),
    token: tokenInput,
  }),
  output: Answer,
  run: (call, { codes, token }) =>
    proposed(call, token, ["create"], () => {
      if (codes === undefined) throw invalid("codes", "or token is required");
      requireKnown(z.object({ codes: z.array(QrCreateInput) }), { codes });
      return examineCreation(call.deps, call.caller, codes);
    }),
});

const ChangedCode = z
  .looseObject({
    id: idOf("a QR code").optional(),
    externalId: z.string().nullable().optional(),
    scanUrl: z.string().optional(),
    data: z.looseObject({ type: z.string() }).optional(),
    name: z.string().nullable().optional(),
    status: QrStatus.optional(),
    tags: z.array(z.string()).optional(),
    folderId: z.string().nullable().optional(),
  })
  .describe(
    "A code, named by id, scanUrl or externalId, and its new values. Fields left out stay, null removes one. The other fields of PATCH /qr/{id} work, too",
  );

const { changes } = limits.proposals;

const changeCodes = tool({
  name: "change_codes",
  title: "Change or delete codes",
  description: `Changes up to ${changes} QR codes: all in the same way (change, with ids or filter), or each in its own (items). change can also delete them. ${twoCalls("the change")}`,
  scopes: ["qr:write"],
  effect: "changes",
  input: z.strictObject({
    ids: z.array(idOf("a QR code")).min(1).max(changes).optional(),
    filter: Filter.optional(),
    change: BulkChange.optional(),
    items: z.array(ChangedCode).min(1).max(changes).optional(),
    token: tokenInput,
  }),
  output: Answer,
  run: (call, { ids, filter, change, items, token }) =>
    proposed(call, token, ["update", "rows"], async () => {
      const { deps, caller } = call;
      if (items !== undefined) {
        if (change !== undefined) throw invalid("change", "can't be combined with items");
        requireKnown(z.object({ items: z.array(BulkUpdateItem) }), { items });
        return examineRows(deps, caller, items);
      }
      if (change === undefined) throw invalid("change", "or items or token is required");
      if ((ids === undefined) === (filter === undefined)) {
        throw invalid("filter", "or ids is required, but only one of them. The filter {} selects all codes.");
      }
      const unique = ids && [...new Set(ids)];
      return examineUpdate(deps, caller, await readSelected(call, { ids: unique, filter }), change);
    }),
});

/** Explains the two calls of a change. @param what the first one has */
function twoCalls(what: string): string {
  return `Call it with ${what} first: nothing happens yet, and the answer has the difference and a token. Show the difference to the person you work for, then call it with only the token.`;
}

export const codeTools = [findCodes, getCode, createCodes, changeCodes];
