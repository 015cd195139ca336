import * as z from "zod";
import { limits } from "../limits.ts";
import { address, oneLine, problems } from "../text.ts";
import { ScanQuery } from "./enums.ts";
import { suspended } from "./operations/suspension.ts";

/** Hosts of a workspace at which its codes answer. */

/** A host as people type it. The domain converts and checks it. */
const host = z
  .string()
  .trim()
  .min(1, problems.empty)
  .max(limits.domain.typed, `can have at most ${limits.domain.typed} characters`)
  .meta({ description: "A host name without port or path", example: "go.example.com" });

/**
 * `unproved`: the workspace hasn't proved that the host is its own. `pending`: the host doesn't lead here yet, or has
 * no certificate. `active`: the codes answer there.
 */
export const DomainStatus = z.enum(["unproved", "pending", "active"]);
export type DomainStatus = z.output<typeof DomainStatus>;

/** Why a domain isn't active, or soon won't be. */
export const DomainProblem = z.enum([
  "txt_missing",
  "txt_differs",
  "held_by_another_workspace",
  "dns_unreadable",
  "cname_missing",
  "cname_elsewhere",
  "certificate_pending",
  "certificate_refused",
  "challenge_blocked",
  "proxied_elsewhere",
  "host_refused",
  "installation_full",
  "installation_unready",
]);
export type DomainProblem = z.output<typeof DomainProblem>;

/** The problems that end by themselves, or once the next step is done. */
export const passingProblems: readonly DomainProblem[] = [
  "txt_missing",
  "cname_missing",
  "certificate_pending",
];

/** Every problem in a few words. */
export const domainProblemWords: Readonly<Record<DomainProblem, string>> = {
  txt_missing: "TXT record not found yet",
  txt_differs: "TXT record has another value",
  held_by_another_workspace: "Another workspace has this host",
  dns_unreadable: "DNS doesn't answer",
  cname_missing: "CNAME record not found yet",
  cname_elsewhere: "Points somewhere else",
  proxied_elsewhere: "Proxied by another Cloudflare account",
  certificate_pending: "Certificate is on its way",
  certificate_refused: "CAA record forbids the certificate",
  challenge_blocked: "Another certificate provider is in the way",
  host_refused: "Cloudflare refuses this host",
  installation_full: "No more hosts can be added",
  installation_unready: "This service can't add hosts right now",
};

const settings = {
  isDefault: z.boolean().meta({ description: "Whether new codes get this domain" }),
  name: oneLine(limits.domain.name)
    .nullable()
    .meta({ description: "Shown on our pages at this host; null for none", example: "Harbour Coffee" }),
  rootUrl: address.nullable().meta({ description: "Where the host redirects; null for a standard page" }),
  unknownUrl: address.nullable().meta({ description: "Where unknown paths go; null for a standard page" }),
  query: ScanQuery.meta({ description: "`query` of new codes with this domain" }),
};

const { isDefault, name, rootUrl, unknownUrl, query } = settings;
const changes = {
  isDefault: isDefault.optional(),
  name: name.optional(),
  rootUrl: rootUrl.optional(),
  unknownUrl: unknownUrl.optional(),
  query: query.optional(),
};

export const DomainInput = z.object({ host, ...changes }).meta({ id: "DomainInput" });
export type DomainInput = z.output<typeof DomainInput>;

export const DomainUpdate = z
  .object(changes)
  .meta({ id: "DomainUpdate", description: "Fields that are omitted stay unchanged" });
export type DomainUpdate = z.output<typeof DomainUpdate>;

const DnsRecord = z.object({
  type: z.enum(["TXT", "CNAME"]),
  name: z.string(),
  value: z.string(),
});

export const Domain = z
  .object({
    id: z.uuid(),
    host: z.string().meta({ description: "In lower case; international names in their ASCII form" }),
    status: DomainStatus.meta({
      description:
        "`unproved` until the TXT record is seen; `pending` until the host leads here and has a certificate; `active`: codes answer there",
    }),
    problem: DomainProblem.nullable().meta({
      description: "Why it isn't active, or soon won't be; null if nothing is wrong",
    }),
    detail: z.string().nullable().meta({ description: "What was found instead, such as another CNAME" }),
    records: z
      .array(DnsRecord)
      .meta({ description: "The DNS records that the host needs, for as long as it is used" }),
    ...settings,
    createdAt: z.iso.datetime(),
    checkedAt: z.iso.datetime().nullable().meta({ description: "When its records were last read" }),
    suspended,
  })
  .meta({ id: "Domain" });
export type Domain = z.output<typeof Domain>;

export const DomainVisits = z
  .object({
    total: z.int(),
    from: z.iso.date().meta({ description: "The first day of `days`, in the reports' time zone" }),
    days: z
      .array(z.int())
      .meta({ description: "Visits on each day since then, today included, oldest first" }),
  })
  .meta({ id: "DomainVisits", description: "Visits of the address of the domain itself" });
export type DomainVisits = z.output<typeof DomainVisits>;

export const DomainList = z.object({ domains: z.array(Domain) }).meta({ id: "DomainList" });

export const DomainDeletion = z.object({
  host: z.string().max(limits.domain.typed).optional().meta({
    description: "The domain's host, typed once more: required while codes use the domain",
  }),
});

export const OperatorDomainInput = z
  .object({ workspaceId: z.uuid("must be the id of a workspace") })
  .meta({ id: "OperatorDomainInput" });
export type OperatorDomainInput = z.output<typeof OperatorDomainInput>;

export const OperatorDomain = Domain.extend({ workspaceId: z.uuid() }).meta({ id: "OperatorDomain" });
export type OperatorDomain = z.output<typeof OperatorDomain>;

export const OperatorDomainList = z
  .object({ domains: z.array(OperatorDomain) })
  .meta({ id: "OperatorDomainList" });
