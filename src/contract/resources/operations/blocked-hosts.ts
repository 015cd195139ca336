import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";

/** Hosts that the operator has blocked as destinations. */

export const BlockedHostInput = z
  .object({
    host: oneLine(limits.blockedHosts.host).meta({
      description: "A host name or IP address, without scheme, port or path. It blocks its subdomains, too",
      example: "phishing.example",
    }),
    reason: oneLine(limits.blockedHosts.reason).meta({
      description: "For you; customers don't see it",
      example: "Reported as phishing",
    }),
  })
  .meta({ id: "BlockedHostInput" });
export type BlockedHostInput = z.output<typeof BlockedHostInput>;

export const BlockedHost = z
  .object({
    id: z.uuid(),
    host: z.string().meta({ description: "In lower case, international names as Punycode" }),
    reason: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "BlockedHost" });
export type BlockedHost = z.output<typeof BlockedHost>;

export const NewBlockedHost = BlockedHost.extend({
  codes: z
    .object({
      found: z.int().meta({ description: "Live QR codes, among those examined, that lead to the host" }),
      examined: z.int().meta({ description: "QR codes that were examined, newest first" }),
      complete: z.boolean().meta({ description: "Whether all QR codes were examined" }),
    })
    .meta({ description: "Blocking doesn't change them" }),
}).meta({ id: "NewBlockedHost" });
export type NewBlockedHost = z.output<typeof NewBlockedHost>;

export const BlockedHostQuery = z.object({ cursor, limit: pageLimit(limits.operatorList) });
export type BlockedHostQuery = z.output<typeof BlockedHostQuery>;

export const BlockedHostList = listOf(BlockedHost, "BlockedHostList");
export type BlockedHostList = z.output<typeof BlockedHostList>;
