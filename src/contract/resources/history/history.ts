import * as z from "zod";
import { limits } from "../../limits.ts";
import type { Permission } from "../../roles.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
import { describedMoment, rangeEnd, rangeStart } from "../scans/scan-filters.ts";

/** The kinds of things that have a history. */
export const HistoryKind = z.enum([
  ...(["code", "folder", "template", "page", "domain", "saved_list", "shared_report"] as const),
  ...(["webhook", "key", "brand", "logo", "workspace", "job", "member", "invitation"] as const),
]);
export type HistoryKind = z.output<typeof HistoryKind>;

/** The changes that can happen to them. The names are stable: stored entries have them. */
export const HistoryAction = z.enum([
  "code.created",
  "code.updated",
  "code.deleted",
  "code.restored",
  "code.suspended",
  "code.unsuspended",
  "code.scans_erased",
  "code.erased",
  "folder.created",
  "folder.updated",
  "folder.deleted",
  "folder.restored",
  "template.created",
  "template.updated",
  "template.deleted",
  "template.restored",
  "page.created",
  "page.updated",
  "page.deleted",
  "page.restored",
  "page.suspended",
  "page.unsuspended",
  "page.submissions_erased",
  "domain.created",
  "domain.updated",
  "domain.deleted",
  "domain.restored",
  "domain.suspended",
  "domain.unsuspended",
  "saved_list.created",
  "saved_list.updated",
  "saved_list.deleted",
  "saved_list.restored",
  "webhook.created",
  "webhook.updated",
  "webhook.rotated",
  "webhook.deleted",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "brand.updated",
  "logo.created",
  "logo.updated",
  "logo.deleted",
  "workspace.updated",
  "workspace.suspended",
  "workspace.unsuspended",
  "workspace.deletion_requested",
  "workspace.deletion_cancelled",
  "job.created",
  "shared_report.created",
  "shared_report.replaced",
  "shared_report.revoked",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "invitation.created",
  "invitation.revoked",
]);
export type HistoryAction = z.output<typeof HistoryAction>;

/** The permission that people need for seeing the changes of each kind. */
export const historyPermissions: Readonly<Record<HistoryKind, Permission>> = {
  code: "codes.read",
  folder: "codes.read",
  template: "codes.read",
  page: "codes.read",
  domain: "codes.read",
  saved_list: "codes.read",
  brand: "codes.read",
  logo: "codes.read",
  workspace: "codes.read",
  job: "codes.read",
  shared_report: "codes.write",
  webhook: "webhooks",
  key: "keys",
  member: "members",
  invitation: "members",
};

/** The kinds whose changes API keys can see. */
export const historyOfKeys: readonly HistoryKind[] = [
  "code",
  "folder",
  "template",
  "page",
  "saved_list",
  "job",
];

const ActorKind = z.enum(["person", "key", "operator", "job", "service"]);

/** Who made a change. */
export const HistoryActor = z.object({
  kind: ActorKind,
  id: z.string().nullable().meta({ description: "Null for the operator and for the service" }),
  name: z.string().meta({ description: "At the time of the change" }),
});

const Change = z.object({
  before: z.unknown().meta({ description: "Null for a new value" }),
  after: z.unknown().meta({ description: "Null for a removed value" }),
});

export const HistoryEntry = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    action: HistoryAction,
    actor: HistoryActor,
    via: z.enum(["dashboard", "api", "mcp", "embed", "service"]),
    client: z
      .string()
      .nullable()
      .meta({ description: "The name of the agent's program, as it gives it, for a change via `mcp`" }),
    requestId: z.string().nullable().meta({
      description:
        "The `x-request-id` of the response; of a change by a bulk job, that of the request which began the job",
    }),
    object: z.object({
      kind: HistoryKind,
      id: z.string(),
      name: z
        .string()
        .nullable()
        .meta({ description: "At the time of the change; null once the values of the object are erased" }),
    }),
    changes: z
      .record(z.string(), Change)
      .meta({ description: "The fields that changed; empty once the values of the object are erased" }),
    valuesLeftOut: z.boolean().meta({
      description:
        "Whether `changes` is empty because there was no room for the values when the change was made",
    }),
    jobId: z.string().nullable().meta({ description: "The bulk job that made the change" }),
    revertOf: z.string().nullable().meta({ description: "The entry whose change this one reverted" }),
  })
  .meta({ id: "HistoryEntry" });
export type HistoryEntry = z.output<typeof HistoryEntry>;

/** In lower case, as ids are. */
const name = z
  .string()
  .min(1, "can't be empty")
  .max(limits.scanName, `can have at most ${limits.scanName} characters`);

const filters = {
  actor: name.optional().meta({
    description:
      "The id of a person, API key or bulk job; or `person`, `key`, `operator`, `job` or `service` for all of them",
  }),
  jobId: name.optional().meta({ description: "Only changes by this bulk job" }),
  from: rangeStart
    .optional()
    .meta(describedMoment("Changes since this day (UTC), such as 2026-01-31, or this time")),
  to: rangeEnd
    .optional()
    .meta(describedMoment("Changes up to the end of this day (UTC), or up to this time, inclusive")),
};

const workspaceFilters = {
  ...filters,
  kind: HistoryKind.optional(),
  object: name.optional().meta({ description: "The id of what was changed" }),
};

const paging = { limit: pageLimit(limits.historyList), cursor };

const isRange = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
const notRange = { path: ["from"], error: "can't be after to" };

/** The filters of one object's history. */
export const ObjectHistoryQuery = z.object({ ...paging, ...filters }).refine(isRange, notRange);
export type ObjectHistoryQuery = z.output<typeof ObjectHistoryQuery>;

export const HistoryQuery = z.object({ ...paging, ...workspaceFilters }).refine(isRange, notRange);
export type HistoryQuery = z.output<typeof HistoryQuery>;

export const HistoryExportQuery = z.object(workspaceFilters).refine(isRange, notRange);
export type HistoryExportQuery = z.output<typeof HistoryExportQuery>;

export const HistoryList = listOf(HistoryEntry, "HistoryList", {
  newestFollow: z.boolean().meta({
    description:
      "Whether the newest entries are still on their way, such as right after a large bulk job. Read the list again a few seconds later",
  }),
});
export type HistoryList = z.output<typeof HistoryList>;
