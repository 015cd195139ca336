import * as z from "zod";
import { limits } from "../../limits.ts";
import { Plan } from "../../plans.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
import { suspended } from "./suspension.ts";

/** Workspaces, dead letters and readiness, as the operator sees them. */

const count = z.int();

/** Numbers that the catalogue has, except for webhooks. */
const usage = z.object({
  liveCodes: count.meta({ description: "QR codes that are not deleted" }),
  storedBytes: count.meta({ description: "Bytes that its QR codes, pages, templates and bulk jobs take up" }),
  members: count,
  keys: count.meta({ description: "API keys that are not revoked" }),
  webhooks: count.nullable().meta({ description: "null if the workspace's ledger could not be read" }),
});

export const OperatorWorkspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: Plan,
    requestsPerMinute: count.meta({ description: "Per key, and per user" }),
    storedBytes: count.meta({ description: "Bytes that it may store in the database" }),
    usage,
    suspended,
    deletion: z
      .object({
        requestedAt: z.iso.datetime(),
        eraseAt: z.iso.datetime().meta({ description: "When the erasure of its data begins" }),
        erased: z.boolean().meta({ description: "Whether only its id and these times are left" }),
      })
      .nullable()
      .meta({ description: "Null for a workspace that isn't deleted" }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "OperatorWorkspace" });
export type OperatorWorkspace = z.output<typeof OperatorWorkspace>;

export const OperatorWorkspaceDetails = OperatorWorkspace.extend({
  people: z
    .array(z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string().nullable() }))
    .meta({
      description: `The first ${limits.operatorPeople} people of the workspace, in the order they joined`,
    }),
  usage: usage.extend({
    folders: count,
    templates: count,
    pages: count.meta({ description: "Hosted pages that are not deleted" }),
    scans: count.nullable().meta({
      description: "Scans of all QR codes, including deleted ones; null if the ledger could not be read",
    }),
  }),
  ledgerProblem: z
    .string()
    .nullable()
    .meta({ description: "Why `webhooks` and `scans` are null; null if the ledger was read" }),
}).meta({ id: "OperatorWorkspaceDetails" });
export type OperatorWorkspaceDetails = z.output<typeof OperatorWorkspaceDetails>;

export const OperatorWorkspaceQuery = z.object({
  q: z
    .string()
    .max(limits.name)
    .optional()
    .meta({ description: "Only workspaces whose name contains this, ignoring case" }),
  id: z.string().max(limits.name).optional().meta({
    description: "Only the workspace with this id, even if its data is erased",
  }),
  cursor,
  limit: pageLimit(limits.operatorList),
});
export type OperatorWorkspaceQuery = z.output<typeof OperatorWorkspaceQuery>;

export const OperatorWorkspaceList = listOf(OperatorWorkspace, "OperatorWorkspaceList");
export type OperatorWorkspaceList = z.output<typeof OperatorWorkspaceList>;

const queue = z.string().max(limits.name);

const DeadLetter = z
  .object({
    id: z.uuid(),
    queue: z.string().meta({ description: "The queue that the message came from", example: "scans" }),
    body: z.string().meta({
      description: `The message as JSON, cut off after ${limits.deadLetterBody} characters`,
      example: '{"batches":[]}',
    }),
    bodyLength: count.meta({ description: "Characters of the whole JSON" }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: "When it is deleted, unless it is retried first" }),
  })
  .meta({ id: "DeadLetter" });

export const DeadLetterQuery = z.object({
  queue: queue.optional().meta({ description: "Only messages of this queue" }),
  cursor,
  limit: pageLimit(limits.operatorList),
});
export type DeadLetterQuery = z.output<typeof DeadLetterQuery>;

export const DeadLetterList = listOf(DeadLetter, "DeadLetterList");
export type DeadLetterList = z.output<typeof DeadLetterList>;

export const RetryInput = z
  .object({ queue: queue.meta({ description: "The queue whose dead letters to retry", example: "scans" }) })
  .meta({ id: "RetryInput" });
export type RetryInput = z.output<typeof RetryInput>;

export const Retried = z
  .object({
    queue: z.string(),
    retried: count.meta({ description: "Messages that the queue accepted" }),
    remaining: count.meta({ description: "The queue's remaining dead letters" }),
  })
  .meta({ id: "Retried" });
export type Retried = z.output<typeof Retried>;

export const Finding = z
  .object({
    name: z.string().meta({ description: "What was checked", example: "queue scans" }),
    status: z.enum(["ok", "warning", "failed", "unknown"]).meta({
      description:
        "`warning`: it works, but needs care. `failed`: something doesn't work. `unknown`: it could not be checked",
    }),
    what: z.string().meta({ description: "What was found, in a sentence", example: "No message waits." }),
    mend: z.string().nullable().meta({
      description: "The command or page that fixes it; null if nothing has to be done",
      example: null,
    }),
  })
  .meta({ id: "Finding" });
export type Finding = z.output<typeof Finding>;

export const ReEncryptionQuery = z.object({ cursor });
export type ReEncryptionQuery = z.output<typeof ReEncryptionQuery>;

export const ReEncryption = z
  .object({
    reEncrypted: count.meta({ description: "Signing secrets that were encrypted with an earlier secret" }),
    unreadable: count.meta({
      description: "Signing secrets whose WEBHOOK_SECRET is gone. Their webhooks need new ones",
    }),
    failed: z.array(z.uuid()).meta({
      description: "Workspaces whose ledger failed; the log has the details. Repeat the request for them",
    }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: "Pass as `cursor` to continue; null after the last" }),
  })
  .meta({ id: "ReEncryption" });
export type ReEncryption = z.output<typeof ReEncryption>;

export const LedgerOpeningQuery = z.object({ cursor });
export type LedgerOpeningQuery = z.output<typeof LedgerOpeningQuery>;

export const LedgerOpening = z
  .object({
    opened: count.meta({
      description: "Ledgers whose tables are up to date and that have all events and history",
    }),
    failed: z.array(z.uuid()).meta({
      description: "Workspaces whose ledger failed; the log has the details. Repeat the request for them",
    }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: "Pass as `cursor` to continue; null after the last" }),
  })
  .meta({ id: "LedgerOpening" });
export type LedgerOpening = z.output<typeof LedgerOpening>;

export const Readiness = z
  .object({
    ready: z.boolean().meta({ description: "Whether nothing has failed" }),
    version: z.string().meta({ description: "The version that runs", example: "1.0.0" }),
    checkedAt: z.iso.datetime(),
    catalogueBytes: count.nullable().meta({
      description: "The size of the database, which can hold 10 GB; null if it could not be read",
    }),
    findings: z.array(
      Finding.extend({ milliseconds: count.meta({ description: "How long the check took" }) }).meta({
        id: "TimedFinding",
      }),
    ),
  })
  .meta({ id: "Readiness" });
export type Readiness = z.output<typeof Readiness>;
