import { qrFields } from "../../contract/resources/codes/qr-fields.ts";
import { sameJson } from "../../lib/text/json.ts";
import { hostNameOf } from "../../lib/web/destination.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { allAddressesOf } from "../destinations/addresses.ts";
import { leadsInCircles } from "../destinations/circles.ts";
import { invalid } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import { requireScannable, requireScannableChange } from "../images/design.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { findStyleLogo } from "../templates/styles.ts";
import { heldAlias, takenAddress } from "./addresses.ts";
import { type CodeReferences, takenId } from "./references.ts";

/** A code about to be stored. */
export interface CodeChange {
  /** Null for a new code. */
  readonly before: QrRow | null;
  readonly after: QrRow;
  /** The properties of `advanced` that were sent. */
  readonly sent: readonly string[];
}

/** Checks a code about to be stored. @throws ServiceError */
type Rule = (
  change: CodeChange,
  lookups: CodeReferences,
  deps: Deps,
  context: WorkspaceContext,
) => void | Promise<void>;

const isNew = ({ before, after }: CodeChange, key: keyof QrRow): boolean =>
  before === null || !sameJson(before[key], after[key]);

/** Campaign parameters and the query of a scan only go with addresses of the code's owner. @param none its value if unset */
const hasPlaceFor =
  <Name extends "utm" | "query">(name: Name, none: QrRow[Name]): Rule =>
  (change) => {
    const { types } = qrFields[name];
    if (change.after[name] === none || !isNew(change, name)) return;
    if (types.some((type) => type === change.after.qrType)) return;
    throw invalid(name, `can be set only for codes of type ${types.join(" or ")}`);
  };

const isInFolder: Rule = (change, { folders }) => {
  const { folderId } = change.after;
  if (folderId !== null && isNew(change, "folderId") && folders.get(folderId) !== "present")
    throw unknownFolder();
};

const hasFreeId: Rule = (change, lookups) => {
  const taken = isNew(change, "externalId") ? takenId(change.after, lookups) : undefined;
  if (taken !== undefined) throw taken;
};

const hasOwnDomain: Rule = (change, { addresses }) => {
  const { domain } = change.after;
  if (domain === null || !isNew(change, "domain") || addresses.domains.has(domain)) return;
  throw invalid("domain", `isn't a domain of this workspace: ${domain}`);
};

const hasFreeAddresses: Rule = (change, { addresses }) => {
  if (!isNew(change, "aliasAddresses")) return;
  const { before, after } = change;
  const known = new Set(before?.aliasAddresses?.map(([address]) => address));
  for (const [i, [address]] of (after.aliasAddresses ?? []).entries()) {
    const host = address.slice(0, address.indexOf("/"));
    if (known.has(address) || addresses.domains.has(host)) continue;
    throw invalid(`aliases.${i}`, `must be at a domain of this workspace, and ${host} isn't one`);
  }
  const taken = takenAddress(after, addresses);
  if (taken !== undefined) throw taken;
};

const keepsHeldAliases: Rule = ({ before, after }) => {
  const held = before === null ? undefined : heldAlias(before, after);
  if (held === undefined) return;
  throw invalid("aliases", `must keep ${held}, because the operator has suspended this code`);
};

const leadsElsewhere: Rule = (change, { addresses }) => {
  if (!isNew(change, "data") && !isNew(change, "fallbackUrl")) return;
  for (const { field, address } of allAddressesOf(change.after)) {
    if (addresses.domains.get(hostNameOf(new URL(address).host))?.isActive !== true) continue;
    throw invalid(field, "can't lead to a domain of this workspace, because scans would go in circles");
  }
};

/** Aliases of a code that leads to a domain of its workspace may make it lead to itself, and so may a domain not yet active. */
const leadsNowhereBack: Rule = async (change, { addresses: { domains } }, deps, { workspaceId }) => {
  const { before, after } = change;
  if (!["data", "fallbackUrl", "aliasAddresses"].some((key) => isNew(change, key as keyof QrRow))) return;
  const all = allAddressesOf(after).map(({ address }) => address);
  if (!all.some((address) => domains.has(hostNameOf(new URL(address).host)))) return;
  const aliases = new Set(after.aliasAddresses?.map(([address]) => address));
  const start = { addresses: all, workspaceId, hosts: new Set(domains.keys()), aliases } as const;
  if (!(await leadsInCircles(deps, { place: `code:${after.hash}`, ...start }))) return;
  const field = before !== null && isNew(change, "aliasAddresses") ? "aliases" : "data";
  throw invalid(
    field,
    "would make scans of this code go in circles, since it leads to an address of its own",
  );
};

const startsBeforeItExpires: Rule = ({ after: { startsAt, expiresAt } }) => {
  if (startsAt !== null && expiresAt !== null && expiresAt <= startsAt) {
    throw invalid("expiresAt", "must be after startsAt");
  }
};

const isScannable: Rule = (change) => {
  const { before, after, sent } = change;
  if (before === null) requireScannable(after);
  else if (isNew(change, "colorConfig") || isNew(change, "advanced"))
    requireScannableChange(before, after, sent);
};

const hasPlaceForLogo: Rule = async (change, { styles }, deps, context) => {
  const { logoId } = change.after;
  if (logoId === null || !(isNew(change, "logoId") || isNew(change, "advanced"))) return;
  requireLogoFits(deps, context, change.after, await findStyleLogo(deps, context, logoId, styles));
};

/** The rules for every new or changed code, in the order in which they are checked. */
const rules: readonly Rule[] = [
  hasPlaceFor("utm", null),
  hasPlaceFor("query", "off"),
  isInFolder,
  hasFreeId,
  hasOwnDomain,
  hasFreeAddresses,
  keepsHeldAliases,
  leadsElsewhere,
  leadsNowhereBack,
  startsBeforeItExpires,
  isScannable,
  hasPlaceForLogo,
];

/** Checks a code about to be created or changed. @throws invalid_input for the first rule that it breaks */
export async function requireValid(
  deps: Deps,
  context: WorkspaceContext,
  change: CodeChange,
  lookups: CodeReferences,
): Promise<void> {
  for (const rule of rules) await rule(change, lookups, deps, context);
}
