import { limits } from "../../contract/limits.ts";
import { foldHash } from "../../lib/text/hash.ts";
import { sameJson } from "../../lib/text/json.ts";
import { type Alias, readAlias } from "../../lib/web/alias.ts";
import { type IdHolder, type IdHolders, idHoldersQuery } from "../../store/codes/codes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { aliasHoldersQuery, lookAlikesQuery, ownHashesQuery } from "../../store/domains/aliases.ts";
import { type DomainRow, domainsQuery } from "../../store/domains/domains.ts";
import { type FolderStates, folderStatesQuery } from "../../store/folders/folders.ts";
import { keptLogosQuery, type LogoRow } from "../../store/logos/logos.ts";
import { pageIdsQuery } from "../../store/pages.ts";
import { answerAll, type Query } from "../../store/queries.ts";
import { type TemplateRow, templatesQuery } from "../../store/templates/templates.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { allAddressesOf, type Linked } from "../destinations/addresses.ts";
import { findBlockedHosts } from "../destinations/blocked-hosts.ts";
import { invalid, type ServiceError } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import { logoIdIn, type StyleInput, type StyleReferences, styleReferences } from "../templates/styles.ts";
import { type AddressReferences, takenAddress } from "./addresses.ts";
import { refusalOfMore } from "./caps.ts";
import { unknownPage } from "./data.ts";

/** The parts of a code, or of a change of one, that refer to other rows. */
type Referring = Linked &
  Omit<StyleInput, "shape"> & {
    readonly [Key in "folderId" | "deletedFolderId" | "logoId" | "externalId" | "domain"]?:
      | string
      | null
      | undefined;
  } & {
    readonly hash?: string | undefined;
    readonly aliases?: readonly string[] | null | undefined;
  };

/** The values that a code is given. */
export interface Given {
  /** Null for a new code, and for one that is restored. */
  readonly before: QrRow | null;
  readonly values: Referring;
}

/** The rows that codes refer to, and what else their rules need to know. */
export interface CodeReferences extends StyleReferences, AddressReferences {
  /** The ids of pages of the workspace. */
  readonly pages: ReadonlySet<string>;
  readonly folders: FolderStates;
  readonly idHolders: IdHolders;
  /** Hosts to which codes may not lead. */
  readonly blockedHosts: ReadonlySet<string>;
  /** Why no more codes can be created or restored. Known only where it was asked for. */
  readonly refusal: ServiceError | undefined;
}

/** A look-up in the catalogue that fields of codes need. */
interface LookUp<Answer> {
  /** Returns the keys to look up for given values. Nothing is asked where there are none. @param earlier see `loadReferences` */
  keysOf(given: Given, earlier: boolean): readonly (string | null | undefined)[];
  query(
    db: D1Database,
    workspaceId: string,
    keys: readonly string[],
    options: { readonly now: number; readonly earlier: boolean },
  ): Query<Answer>;
}

/** The results of the look-ups. */
interface Found extends Omit<AddressReferences, "domains"> {
  readonly templates: ReadonlyMap<string, TemplateRow>;
  readonly logos: readonly LogoRow[];
  readonly pages: ReadonlySet<string>;
  readonly folders: FolderStates;
  readonly idHolders: IdHolders;
  readonly domains: readonly DomainRow[];
}

const isNew = ({ before, values }: Given, key: keyof Referring & keyof QrRow): boolean =>
  values[key] !== undefined && (before === null || !sameJson(values[key], before[key]));

const hasNewAddresses = (given: Given): boolean => isNew(given, "data") || isNew(given, "fallbackUrl");

/** The aliases of a change, unless they are those that the code has. */
const newAliasesOf = (given: Given): Alias[] =>
  isNew(given, "aliases")
    ? (given.values.aliases ?? []).flatMap((text) => {
        const read = readAlias(text, limits.aliases.bytes);
        return "problem" in read ? [] : read;
      })
    : [];

/** The look-ups by their results. A name needs none; a destination only the domains, to which it may not lead. */
const lookUps: { readonly [Name in keyof Found]: LookUp<Found[Name]> } = {
  templates: {
    keysOf: ({ values }, earlier) => (earlier ? [] : [values.templateId]),
    query: templatesQuery,
  },
  logos: {
    keysOf: ({ values }, earlier) => [logoIdIn(values.advanced), ...(earlier ? [values.logoId] : [])],
    query: (db, workspaceId, ids, { now, earlier }) =>
      keptLogosQuery(db, workspaceId, ids, now, earlier ? "stored" : "listed"),
  },
  pages: {
    keysOf: ({ values: { data } }) => (data?.type === "servicepage" ? [data.pageId] : []),
    query: pageIdsQuery,
  },
  folders: {
    keysOf: (given) =>
      isNew(given, "folderId") ? [given.values.folderId || given.values.deletedFolderId] : [],
    query: folderStatesQuery,
  },
  idHolders: {
    keysOf: (given) => (isNew(given, "externalId") ? [given.values.externalId] : []),
    query: idHoldersQuery,
  },
  domains: {
    // All are read, since there are few.
    keysOf: (given) =>
      given.values.domain || newAliasesOf(given).length > 0 || hasNewAddresses(given) ? ["all"] : [],
    query: domainsQuery,
  },
  aliasHolders: {
    keysOf: (given) => newAliasesOf(given).map(({ address }) => address),
    query: aliasHoldersQuery,
  },
  hashes: {
    keysOf: (given) => newAliasesOf(given).map(({ folded }) => folded),
    query: ownHashesQuery,
  },
  lookAlikes: {
    keysOf: ({ values: { hash } }) => (hash === undefined ? [] : [foldHash(hash)]),
    query: lookAlikesQuery,
  },
};

/** The answers where nothing is asked. */
const nothing: Found = {
  ...{ templates: new Map(), logos: [], pages: new Set<string>(), folders: new Map(), idHolders: new Map() },
  ...{ domains: [], aliasHolders: new Map(), hashes: new Set<string>(), lookAlikes: new Map() },
};

/**
 * Looks up what the values given to several codes refer to, by one batch of the catalogue.
 * @param options `additions`: whether codes are created or restored; `earlier`: whether they are values of the history,
 * whose logos may have left the list and whose templates aren't applied again
 */
export async function loadReferences(
  deps: Deps,
  context: WorkspaceContext,
  all: readonly Given[],
  { additions = false, earlier = false }: { additions?: boolean; earlier?: boolean } = {},
): Promise<CodeReferences> {
  const { db } = deps;
  const { workspaceId } = context;
  const options = { now: deps.now(), earlier };
  const ask = <Answer>({ keysOf, query }: LookUp<Answer>): Query<Answer> | null => {
    const keys = all.flatMap((given) => keysOf(given, earlier).flatMap((key) => key || []));
    return keys.length === 0 ? null : query(db, workspaceId, [...new Set(keys)], options);
  };
  const { templates, logos, pages, folders, idHolders, domains, aliasHolders, hashes, lookAlikes } = lookUps;
  const addresses = all.filter(hasNewAddresses).flatMap(({ values }) => allAddressesOf(values));
  const [found, blockedHosts, refusal] = await Promise.all([
    answerAll<Found>(
      db,
      {
        ...{ templates: ask(templates), logos: ask(logos), pages: ask(pages), folders: ask(folders) },
        ...{ idHolders: ask(idHolders), domains: ask(domains), aliasHolders: ask(aliasHolders) },
        ...{ hashes: ask(hashes), lookAlikes: ask(lookAlikes) },
      },
      nothing,
    ),
    findBlockedHosts(
      deps,
      addresses.map(({ address }) => address),
    ),
    additions ? refusalOfMore(deps, context) : undefined,
  ]);
  return {
    ...found,
    ...styleReferences(deps, found.templates, found.logos),
    domains: new Map(found.domains.map((row) => [row.host, row])),
    blockedHosts,
    refusal,
  };
}

/** Returns the columns of a code's place: in a folder, outside of it while the folder is deleted, or in none. */
export function folderColumns(
  folderId: string | null,
  folders: FolderStates,
): Pick<QrRow, "folderId" | "deletedFolderId"> {
  const state = folderId === null ? undefined : folders.get(folderId);
  return {
    folderId: state === "present" ? folderId : null,
    deletedFolderId: state === "deleted" ? folderId : null,
  };
}

/** Returns the error of an own id that another code has; undefined if none does. */
export function takenId(
  { id, externalId }: Pick<QrRow, "id" | "externalId">,
  { idHolders }: Pick<CodeReferences, "idHolders">,
): ServiceError | undefined {
  const holder = externalId === null ? undefined : idHolders.get(externalId);
  return holder === undefined || holder.id === id ? undefined : takenIdError(holder);
}

/** The error of an own id that a code has. */
export const takenIdError = ({ id, isDeleted }: IdHolder): ServiceError =>
  invalid(
    "externalId",
    isDeleted
      ? `is held by the deleted QR code ${id}. Restore it or erase it first`
      : `is used by the QR code ${id}`,
    409,
  );

/**
 * Returns the error of a code whose folder or page doesn't exist any more, or whose own id or address another has;
 * undefined if neither.
 */
export function unlinked(
  code: Pick<QrRow, "id" | "externalId" | "folderId" | "data" | "hashFolded" | "aliases" | "aliasAddresses">,
  references: CodeReferences,
): ServiceError | undefined {
  const { folderId, data } = code;
  const taken = takenId(code, references) ?? takenAddress(code, references);
  if (taken !== undefined) return taken;
  if (folderId !== null && references.folders.get(folderId) !== "present") return unknownFolder();
  return data.type === "servicepage" && !references.pages.has(data.pageId) ? unknownPage() : undefined;
}
