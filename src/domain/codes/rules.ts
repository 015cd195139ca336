import { qrFields } from "../../contract/resources/codes/qr-fields.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { hostNameOf } from "../../lib/web/destination.ts";
import { sameJson } from "../../lib/text/json.ts";
import type { Deps } from "../deps.ts";
import { allAddressesOf } from "../destinations/addresses.ts";
import { leadsInCircles } from "../destinations/circles.ts";
import { invalid } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireScannable, requireScannableChange } from "../images/design.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { findStyleLogo } from "../templates/styles.ts";
import { heldAlias, takenAddress } from "./addresses.ts";
import { type CodeLookups, takenId } from "./lookups.ts";

/** A code about to be stored. */
export interface CodeStep {
  /** Null for a new code. */
  readonly before: QrRow | null;
  readonly after: QrRow;
  /** The properties of `advanced` that were sent. */
  readonly sent: readonly string[];
}

/** Checks a code about to be stored. @throws ServiceError */
type Rule = (
  step: CodeStep,
  lookups: CodeLookups,
  deps: Deps,
  context: WorkspaceContext,
) => void | Promise<void>;

const isNew = ({ before, after }: CodeStep, key: keyof QrRow): boolean =>
  before === null || !sameJson(before[key], after[key]);

/** Campaign parameters and the query of a scan only go with addresses of the code's owner. @param none its value if unset */
const hasPlaceFor =
  <Name extends "utm" | "query">(name: Name, none: QrRow[Name]): Rule =>
  (step) => {
    const { types } = qrFields[name];
    if (step.after[name] === none || !isNew(step, name)) return;
    if (types.some((type) => type === step.after.qrType)) return;
    throw invalid(name, `can be set only for codes of type ${types.join(" or ")}`);
  };

const isInFolder: Rule = (step, { folders }) => {
  const { folderId } = step.after;
  if (folderId !== null && isNew(step, "folderId") && folders.get(folderId) !== "present")
    throw unknownFolder();
};

const hasFreeId: Rule = (step, lookups) => {
  const taken = isNew(step, "externalId") ? takenId(step.after, lookups) : undefined;
  if (taken !== undefined) throw taken;
};

const hasOwnDomain: Rule = (step, { addresses }) => {
  const { domain } = step.after;
  if (domain === null || !isNew(step, "domain") || addresses.domains.has(domain)) return;
  throw invalid("domain", `isn't a domain of this workspace: ${domain}`);
};

const hasFreeAddresses: Rule = (step, { addresses }) => {
  if (!isNew(step, "aliasAddresses")) return;
  const { before, after } = step;
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

const leadsElsewhere: Rule = (step, { addresses }) => {
  if (!isNew(step, "data") && !isNew(step, "fallbackUrl")) return;
  for (const { field, address } of allAddressesOf(step.after)) {
    if (addresses.domains.get(hostNameOf(new URL(address).host))?.isActive !== true) continue;
    throw invalid(field, "can't lead to a domain of this workspace, because scans would go in circles");
  }
};

/** Aliases of a code that leads to a domain of its workspace may make it lead to itself, and so may a domain not yet active. */
const leadsNowhereBack: Rule = async (step, { addresses: { domains } }, deps, { workspaceId }) => {
  const { before, after } = step;
  if (!["data", "fallbackUrl", "aliasAddresses"].some((key) => isNew(step, key as keyof QrRow))) return;
  const all = allAddressesOf(after).map(({ address }) => address);
  if (!all.some((address) => domains.has(hostNameOf(new URL(address).host)))) return;
  const aliases = new Set(after.aliasAddresses?.map(([address]) => address));
  const start = { addresses: all, workspaceId, hosts: new Set(domains.keys()), aliases } as const;
  if (!(await leadsInCircles(deps, { place: `code:${after.hash}`, ...start }))) return;
  const field = before !== null && isNew(step, "aliasAddresses") ? "aliases" : "data";
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

const isScannable: Rule = (step) => {
  const { before, after, sent } = step;
  if (before === null) requireScannable(after);
  else if (isNew(step, "colorConfig") || isNew(step, "advanced")) requireScannableChange(before, after, sent);
};

const hasPlaceForLogo: Rule = async (step, { styles }, deps, context) => {
  const { logoId } = step.after;
  if (logoId === null || !(isNew(step, "logoId") || isNew(step, "advanced"))) return;
  requireLogoFits(deps, context, step.after, await findStyleLogo(deps, context, logoId, styles));
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
  step: CodeStep,
  lookups: CodeLookups,
): Promise<void> {
  for (const rule of rules) await rule(step, lookups, deps, context);
}
