import { qrFields } from "../../contract/resources/codes/qr-fields.ts";
import { hostNameOf } from "../../lib/web/destination.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { allAddressesOf } from "../destinations/addresses.ts";
import { blockedHostProblem } from "../destinations/blocked-hosts.ts";
import { leadsInCircles } from "../destinations/circles.ts";
import { invalid } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import { requireScannable, requireScannableChange } from "../images/design.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { type Edited, isNew, type Rule, requireRules } from "../resources/rules.ts";
import { findStyleLogo } from "../templates/styles.ts";
import { heldAlias, isActiveDomain, takenAddress } from "./addresses.ts";
import { type CodeReferences, takenId } from "./references.ts";

type Check = Rule<QrRow, CodeReferences>["check"];

/** A restored code counts again. */
const hasRoom: Check = (_, __, ___, { refusal }) => {
  if (refusal !== undefined) throw refusal;
};

/** Campaign parameters and the query of a scan only go with addresses of the code's owner. @param none its value if unset */
const hasPlaceFor =
  <Name extends "utm" | "query">(name: Name, none: QrRow[Name]): Check =>
  ({ after }) => {
    const { types } = qrFields[name];
    if (after[name] === none || types.some((type) => type === after.qrType)) return;
    throw invalid(name, `can be set only for codes of type ${types.join(" or ")}`);
  };

const isInFolder: Check = ({ after: { folderId } }, _, __, { folders }) => {
  if (folderId !== null && folders.get(folderId) !== "present") throw unknownFolder();
};

const hasFreeId: Check = ({ after }, _, __, references) => {
  const taken = takenId(after, references);
  if (taken !== undefined) throw taken;
};

const hasOwnDomain: Check = ({ after: { domain } }, _, __, { domains }) => {
  if (domain === null || domains.has(domain)) return;
  throw invalid("domain", `isn't a domain of this workspace: ${domain}`);
};

const hasFreeAddresses: Check = ({ before, after }, _, __, references) => {
  const known = new Set(before?.aliasAddresses?.map(([address]) => address));
  for (const [i, [address]] of (after.aliasAddresses ?? []).entries()) {
    const host = address.slice(0, address.indexOf("/"));
    if (known.has(address) || references.domains.has(host)) continue;
    throw invalid(`aliases.${i}`, `must be at a domain of this workspace, and ${host} isn't one`);
  }
  const taken = takenAddress(after, references);
  if (taken !== undefined) throw taken;
};

const keepsHeldAliases: Check = ({ before, after }) => {
  const held = before === null ? undefined : heldAlias(before, after);
  if (held === undefined) return;
  throw invalid("aliases", `must keep ${held}, because the operator has suspended this code`);
};

const leadsToAllowedHosts: Check = ({ after }, _, __, { blockedHosts }) => {
  if (blockedHosts.size === 0) return;
  for (const { field, address } of allAddressesOf(after)) {
    if (blockedHosts.has(hostNameOf(new URL(address).host))) throw invalid(field, blockedHostProblem);
  }
};

const leadsElsewhere: Check = ({ after }, _, __, references) => {
  if (references.domains.size === 0) return;
  for (const { field, address } of allAddressesOf(after)) {
    if (!isActiveDomain(references, hostNameOf(new URL(address).host))) continue;
    throw invalid(field, "can't lead to a domain of this workspace, because scans would go in circles");
  }
};

/** Aliases of a code that leads to a domain of its workspace may make it lead to itself, and so may a domain not yet active. */
const leadsNowhereBack: Check = async (edited, deps, { workspaceId }, { domains }) => {
  if (domains.size === 0) return;
  const { before, after } = edited;
  const all = allAddressesOf(after).map(({ address }) => address);
  if (!all.some((address) => domains.has(hostNameOf(new URL(address).host)))) return;
  const aliases = new Set(after.aliasAddresses?.map(([address]) => address));
  const start = { addresses: all, workspaceId, hosts: new Set(domains.keys()), aliases } as const;
  if (!(await leadsInCircles(deps, { place: `code:${after.hash}`, ...start }))) return;
  const field = before !== null && isNew(edited, "aliasAddresses") ? "aliases" : "data";
  throw invalid(
    field,
    "would make scans of this code go in circles, since it leads to an address of its own",
  );
};

const startsBeforeItExpires: Check = ({ after: { startsAt, expiresAt } }) => {
  if (startsAt !== null && expiresAt !== null && expiresAt <= startsAt) {
    throw invalid("expiresAt", "must be after startsAt");
  }
};

const isScannable: Check = ({ before, after }) => {
  if (before === null) requireScannable(after);
  else requireScannableChange(before, after);
};

const hasPlaceForLogo: Check = async ({ after }, deps, context, references) => {
  const { logoId } = after;
  if (logoId === null) return;
  requireLogoFits(deps, context, after, await findStyleLogo(deps, context, logoId, references));
};

/** The rules for codes, in the order in which they are checked. */
const rules: readonly Rule<QrRow, CodeReferences>[] = [
  { columns: ["deletedAt"], check: hasRoom },
  { columns: ["utm"], check: hasPlaceFor("utm", null) },
  { columns: ["query"], check: hasPlaceFor("query", "off") },
  { columns: ["folderId"], check: isInFolder },
  { columns: ["externalId"], check: hasFreeId },
  { columns: ["domain"], check: hasOwnDomain },
  { columns: ["aliasAddresses"], check: hasFreeAddresses },
  { columns: ["aliasAddresses"], check: keepsHeldAliases },
  { columns: ["data", "fallbackUrl", "deletedAt"], check: leadsToAllowedHosts },
  { columns: ["data", "fallbackUrl"], check: leadsElsewhere },
  { columns: ["data", "fallbackUrl", "aliasAddresses"], check: leadsNowhereBack },
  { columns: ["startsAt", "expiresAt"], check: startsBeforeItExpires },
  { columns: ["colorConfig", "advanced"], check: isScannable },
  { columns: ["logoId", "advanced"], check: hasPlaceForLogo },
];

/** Checks a code about to be created, changed, restored or put back. @throws invalid_input for the first rule that it breaks */
export const requireValid = (
  deps: Deps,
  context: WorkspaceContext,
  edited: Edited<QrRow>,
  references: CodeReferences,
): Promise<void> => requireRules(rules, edited, deps, context, references);
