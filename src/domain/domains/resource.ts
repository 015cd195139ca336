import type { Domain } from "../../contract/resources/domains.ts";
import type { ScanQuery } from "../../contract/resources/enums.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { domainKey } from "../../protocol/routes.ts";
import {
  type DomainRow,
  domainKind,
  findHolder,
  isSuspendedElsewhere,
  listDomains,
} from "../../store/domains/domains.ts";
import { requirePermission } from "../context/permissions.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { suspensionError } from "../context/suspension.ts";
import type { Deps, Settings } from "../deps.ts";
import { invalid } from "../errors.ts";
import { notRevertible, type Reversible, requireRestorable } from "../resources/revert.ts";
import { publishPending } from "../routing/publish.ts";
import { lookForProof, recordsOf } from "./claims.ts";
import { readTargets, requireNoCirclesAt, requireUsableTargets } from "./hosts.ts";

/** The token of a domain that the operator gave a workspace, which needs no proof. */
export const givenByOperator = "";

/** Returns a value that proves a host in DNS. */
export const newToken = (): string => randomBase62(32);

/** Fields whose changes can be undone. The others follow from DNS and from the operator. */
const reversible = new Set(["isDefault", "name", "rootUrl", "unknownUrl", "query"]);

/** Domains as resources. */
export const domainResource: Reversible<DomainRow> = {
  kind: domainKind,
  object: "domain",
  noun: "Domain",
  nameOf: ({ host }) => host,
  fieldsOf: ({ host, status, isDefault, name, rootUrl, unknownUrl, query, suspended }) => ({
    ...{ host, status, isDefault, name, rootUrl, unknownUrl, query, suspended },
  }),
  updated: (after, columns, now) =>
    columns.some(({ key, route }) => route === true || key === "provedAt")
      ? { routeVersion: Math.max(now, after.routeVersion + 1) }
      : {},
  capsOf: ({ domains }) => ({ domains }),
  publish: (deps, { host }) => publishPending(deps, domainKey(host)),
  async refusalOf(deps, context, row) {
    const suspended = await suspensionError(deps, context);
    if (suspended !== undefined) return suspended;
    if (await isClaimed(deps, row)) return invalid("host", "is a domain of this workspace already", 409);
    const allowed = planOf(context).domains === 1 ? "1 domain" : `${planOf(context).domains} domains`;
    return planCapError(context, allowed, "Remove one, or upgrade to add more.");
  },
  deleted(deps, context, row) {
    requirePermission(context, "domains");
    const now = deps.now();
    // The sweep gives the custom hostname back.
    return { ...row, deletedAt: now, isDefault: false, checkAt: row.customHostnameId === null ? null : now };
  },
  rules: [
    { columns: ["rootUrl", "unknownUrl", "deletedAt"], check: requireUsableTargets },
    { columns: ["deletedAt"], check: requireNoCirclesAt },
  ],
  async restored(deps, context, row) {
    requirePermission(context, "domains");
    requireRestorable(deps, "Domain", row);
    readTargets(deps, row.host, row, row);
    // Meanwhile, the host may have become another's: its proof is asked for again, or that the operator gives it again.
    const now = deps.now();
    const claim = {
      ...row,
      token: row.token === givenByOperator ? newToken() : row.token,
      deletedAt: null,
      status: "unproved" as const,
      provedAt: null,
      claimedAt: now,
      checkAt: now,
    };
    // In one change with the proof, since a host without one isn't a domain. The sweep asks another holder for its own.
    return (await isHeld(deps, row))
      ? claim
      : { ...claim, ...(await lookForProof(deps, { ...claim, createdAt: now })) };
  },
  putBack(deps, context, row, fields) {
    requirePermission(context, "domains");
    if (Object.keys(fields).some((name) => !reversible.has(name))) throw notRevertible();
    return { ...row, ...fields, ...readTargets(deps, row.host, fields, fields) };
  },
};

const isHeld = async ({ db }: Deps, row: DomainRow): Promise<boolean> =>
  (await findHolder(db, row.host)) !== undefined || (await isSuspendedElsewhere(db, row));

async function isClaimed({ db }: Deps, { workspaceId, host, id }: DomainRow): Promise<boolean> {
  const domains = await listDomains(db, workspaceId);
  return domains.some((domain) => domain.host === host && domain.id !== id);
}

/** Converts a row to the API's resource. */
export const presentDomain = (settings: Settings, row: DomainRow): Domain => ({
  id: row.id,
  host: row.host,
  status: row.status,
  problem: row.problem,
  detail: row.detail,
  records: row.token === givenByOperator ? [] : [...recordsOf(settings, row.host, row.token)],
  isDefault: row.isDefault,
  name: row.name,
  rootUrl: row.rootUrl,
  unknownUrl: row.unknownUrl,
  query: row.query satisfies ScanQuery,
  createdAt: new Date(row.createdAt).toISOString(),
  checkedAt: isoTime(row.checkedAt),
  suspended: row.suspended,
});
