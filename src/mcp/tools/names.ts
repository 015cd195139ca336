import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import { QrListQuery } from "../../contract/resources/codes/qr.ts";
import type { Scope } from "../../contract/resources/enums.ts";
import type { Caller } from "../../domain/context/context.ts";
import { requireScope } from "../../domain/context/permissions.ts";
import type { Deps } from "../../domain/deps.ts";
import { listDomains } from "../../domain/domains/domains.ts";
import { countCodesInFolders, searchFolders } from "../../domain/folders/folders.ts";
import { listTags } from "../../domain/folders/tags.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { pageOf, resultsOf, tool } from "../tool.ts";

/** The things that codes are sorted into, designed with or reached at. */
const Kind = z.enum(["folders", "tags", "templates", "domains"]);
type Kind = z.output<typeof Kind>;

const Named = z.object({
  id: z.string().nullable().describe("Null for tags and domains, which are named by name"),
  name: z.string().describe("Of a domain, its host"),
  codes: z
    .int()
    .optional()
    .describe(`Codes in a folder or with a tag; more than ${limits.countedCodes} are counted as one more`),
  status: z.string().optional().describe("Of a domain"),
  isDefault: z.boolean().optional().describe("Whether new codes get the domain"),
});

interface Page {
  readonly items: z.input<typeof Named>[];
  readonly nextCursor: string | null;
}

/** A list of each kind, with the scope that the API asks for. */
const lists: Readonly<
  Record<Kind, { readonly scope: Scope; list(deps: Deps, caller: Caller, cursor?: string): Promise<Page> }>
> = {
  folders: {
    scope: "qr:read",
    async list(deps, caller, cursor) {
      const { items, nextCursor } = await searchFolders(deps, caller, { cursor, limit: limits.qrList.max });
      const codes = await countCodesInFolders(
        deps,
        caller,
        items.map(({ id }) => id),
      );
      return { items: items.map(({ id, name }) => ({ id, name, codes: codes.get(id) ?? 0 })), nextCursor };
    },
  },
  tags: {
    scope: "qr:read",
    async list(deps, caller, cursor = "") {
      const { tags, next } = await listTags(deps, caller, cursor);
      return { items: tags.map(({ tag, codes }) => ({ id: null, name: tag, codes })), nextCursor: next };
    },
  },
  templates: {
    scope: "templates:read",
    async list(deps, caller) {
      const { templates } = await listTemplates(deps, caller);
      return { items: templates.map(({ id, name }) => ({ id, name })), nextCursor: null };
    },
  },
  domains: {
    scope: "workspace:read",
    async list(deps, caller) {
      const { domains } = await listDomains(deps, caller);
      const items = domains.map(({ host, status, isDefault }) => ({
        id: null,
        name: host,
        status,
        isDefault,
      }));
      return { items, nextCursor: null };
    },
  },
};

const names = tool({
  name: "list_names",
  title: "List folders, tags, templates or domains",
  description:
    "Lists the names of the workspace's folders, tags, design templates or domains, with the ids that other tools take.",
  scopes: ["qr:read", "templates:read", "workspace:read"],
  effect: "reads",
  input: z.strictObject({ kind: Kind, cursor: QrListQuery.shape.cursor }),
  output: pageOf(Named),
  async run({ deps, caller }, { kind, cursor }) {
    const { scope, list } = lists[kind];
    requireScope(caller, scope);
    const { items, nextCursor } = await list(deps, caller, cursor);
    return { value: resultsOf(items, nextCursor) };
  },
});

export const nameTools = [names];
