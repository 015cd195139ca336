import * as z from "zod";
import { Plan } from "../plans.ts";
import { Deleted } from "../resources/codes/qr.ts";
import { OperatorDomain, OperatorDomainInput, OperatorDomainList } from "../resources/domains.ts";
import { SignInLink, SignInLinkInput } from "../resources/identity/sign-in.ts";
import {
  AbuseReport,
  AbuseReportList,
  AbuseReportQuery,
  DecisionInput,
} from "../resources/operations/abuse-reports.ts";
import {
  BlockedHostInput,
  BlockedHostList,
  BlockedHostQuery,
  NewBlockedHost,
} from "../resources/operations/blocked-hosts.ts";
import {
  DeadLetterList,
  DeadLetterQuery,
  LedgerOpening,
  LedgerOpeningQuery,
  OperatorWorkspaceDetails,
  OperatorWorkspaceList,
  OperatorWorkspaceQuery,
  Readiness,
  ReEncryption,
  ReEncryptionQuery,
  Retried,
  RetryInput,
} from "../resources/operations/operations.ts";
import { SuspensionInput, SuspensionStatus } from "../resources/operations/suspension.ts";
import { bodyErrors, type OperatorEndpoint } from "./endpoint.ts";

export const PlanInput = z
  .object({
    plan: Plan,
    requestsPerMinute: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(1_000_000, "must be at most 1000000")
      .nullable()
      .optional()
      .meta({ description: "A higher rate limit, for the business plan only; null restores the default" }),
    storedBytes: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(10_000_000_000, "must be at most 10000000000, the size of the database")
      .nullable()
      .optional()
      .meta({
        description:
          "Bytes that the workspace may store in the database instead of the plan's; null, and another plan, restores the default",
      }),
  })
  .meta({ id: "PlanInput" });
export type PlanInput = z.output<typeof PlanInput>;

export const PlanChange = z
  .object({
    workspaceId: z.uuid(),
    previousPlan: Plan,
    plan: Plan,
    requestsPerMinute: z.int(),
    storedBytes: z.int().meta({ description: "Bytes that the workspace may store in the database" }),
  })
  .meta({ id: "PlanChange" });
export type PlanChange = z.output<typeof PlanChange>;

const idOrHash = { id: z.string().toLowerCase().meta({ description: "The id or the hash of the QR code" }) };

const hostParameter = { host: z.string().toLowerCase().meta({ description: "The host of the domain" }) };

/** For the operator and their billing system. */
export const operatorEndpoints = {
  listWorkspaces: {
    method: "get",
    path: "/operator/workspaces",
    tag: "Operator",
    summary: "List workspaces: with their usage, newest first",
    auth: "operator",
    query: OperatorWorkspaceQuery,
    status: 200,
    response: OperatorWorkspaceList,
    errors: [],
  },
  inspectWorkspace: {
    method: "get",
    path: "/operator/workspaces/{id}",
    tag: "Operator",
    summary: "Retrieve a workspace: its usage in detail",
    auth: "operator",
    status: 200,
    response: OperatorWorkspaceDetails,
    errors: [404],
  },
  changePlan: {
    method: "put",
    path: "/operator/workspaces/{id}/plan",
    tag: "Operator",
    summary: "Set the plan of a workspace; it applies at once to all keys and people",
    auth: "operator",
    body: PlanInput,
    status: 200,
    response: PlanChange,
    errors: [...bodyErrors, 404],
  },
  createSignInLink: {
    method: "post",
    path: "/operator/sign-in-links",
    tag: "Operator",
    summary:
      "Create a one-time link: for a new owner, or for a person who lost their passkeys or can't sign in again",
    auth: "operator",
    body: SignInLinkInput,
    status: 201,
    response: SignInLink,
    errors: [...bodyErrors, 404],
  },
  listDeadLetters: {
    method: "get",
    path: "/operator/dead-letters",
    tag: "Operator",
    summary: "List dead letters: messages that failed every retry, newest first",
    auth: "operator",
    query: DeadLetterQuery,
    status: 200,
    response: DeadLetterList,
    errors: [],
  },
  retryDeadLetter: {
    method: "post",
    path: "/operator/dead-letters/{id}/retry",
    tag: "Operator",
    summary: "Retry a dead letter: puts it back on its queue",
    auth: "operator",
    status: 200,
    response: Retried,
    errors: [404],
  },
  retryDeadLetters: {
    method: "post",
    path: "/operator/dead-letters/retry",
    tag: "Operator",
    summary: "Retry the dead letters of a queue: the oldest 100",
    auth: "operator",
    body: RetryInput,
    status: 200,
    response: Retried,
    errors: bodyErrors,
  },
  reEncryptWebhookSecrets: {
    method: "post",
    path: "/operator/webhook-secrets/re-encrypt",
    tag: "Operator",
    summary: "Encrypt the signing secrets of webhooks with the newest WEBHOOK_SECRET: of 20 workspaces",
    auth: "operator",
    query: ReEncryptionQuery,
    status: 200,
    response: ReEncryption,
    errors: [],
  },
  openLedgers: {
    method: "post",
    path: "/operator/ledgers/open",
    tag: "Operator",
    summary:
      "Bring the ledgers of 20 workspaces up to date, with the events and the history that wait for them",
    auth: "operator",
    query: LedgerOpeningQuery,
    status: 200,
    response: LedgerOpening,
    errors: [],
  },
  listBlockedHosts: {
    method: "get",
    path: "/operator/blocked-hosts",
    tag: "Operator",
    summary: "List blocked hosts, newest first",
    auth: "operator",
    query: BlockedHostQuery,
    status: 200,
    response: BlockedHostList,
    errors: [],
  },
  blockHost: {
    method: "post",
    path: "/operator/blocked-hosts",
    tag: "Operator",
    summary: "Block a host; counts the QR codes that lead there",
    auth: "operator",
    body: BlockedHostInput,
    status: 201,
    response: NewBlockedHost,
    errors: bodyErrors,
  },
  unblockHost: {
    method: "delete",
    path: "/operator/blocked-hosts/{id}",
    tag: "Operator",
    summary: "Unblock a host",
    auth: "operator",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  listAbuseReports: {
    method: "get",
    path: "/operator/reports",
    tag: "Operator",
    summary: "List abuse reports, newest first",
    auth: "operator",
    query: AbuseReportQuery,
    status: 200,
    response: AbuseReportList,
    errors: [],
  },
  decideAbuseReport: {
    method: "post",
    path: "/operator/reports/{id}/decide",
    tag: "Operator",
    summary: "Decide an abuse report: dismiss it, or note that you acted on it and suspend what was reported",
    auth: "operator",
    body: DecisionInput,
    status: 200,
    response: AbuseReport,
    errors: [...bodyErrors, 404],
  },
  listWorkspaceDomains: {
    method: "get",
    path: "/operator/workspaces/{id}/domains",
    tag: "Operator",
    summary: "List the domains of a workspace, oldest first",
    auth: "operator",
    status: 200,
    response: OperatorDomainList,
    errors: [404],
  },
  getDomainOfHost: {
    method: "get",
    path: "/operator/domains/{host}",
    parameters: hostParameter,
    tag: "Operator",
    summary: "Retrieve the domain that has a host",
    auth: "operator",
    status: 200,
    response: OperatorDomain,
    errors: [404],
  },
  putDomain: {
    method: "put",
    path: "/operator/domains/{host}",
    parameters: hostParameter,
    tag: "Operator",
    summary: "Give a workspace a host of your own zones: its QR codes answer there at once",
    auth: "operator",
    body: OperatorDomainInput,
    status: 200,
    response: OperatorDomain,
    errors: [...bodyErrors, 402, 404, 409],
  },
  removeDomain: {
    method: "delete",
    path: "/operator/domains/{host}",
    parameters: hostParameter,
    tag: "Operator",
    summary: "Remove a domain by its host: scans there get a page that says so",
    auth: "operator",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  suspendDomain: {
    method: "put",
    path: "/operator/domains/{host}/suspension",
    parameters: hostParameter,
    tag: "Operator",
    summary: "Suspend a domain: visitors get a generic 403 or 451; its codes answer at the scan origin",
    auth: "operator",
    body: SuspensionInput,
    status: 200,
    response: SuspensionStatus,
    errors: [...bodyErrors, 404],
  },
  liftDomain: {
    method: "delete",
    path: "/operator/domains/{host}/suspension",
    parameters: hostParameter,
    tag: "Operator",
    summary: "Lift the suspension of a domain",
    auth: "operator",
    status: 200,
    response: SuspensionStatus,
    errors: [404],
  },
  suspendQr: {
    method: "put",
    path: "/operator/qr/{id}/suspension",
    parameters: idOrHash,
    tag: "Operator",
    summary: "Suspend a QR code: by its id or hash; visitors get a generic 403 or 451",
    auth: "operator",
    body: SuspensionInput,
    status: 200,
    response: SuspensionStatus,
    errors: [...bodyErrors, 404],
  },
  liftQr: {
    method: "delete",
    path: "/operator/qr/{id}/suspension",
    parameters: idOrHash,
    tag: "Operator",
    summary: "Lift the suspension of a QR code: by its id or hash",
    auth: "operator",
    status: 200,
    response: SuspensionStatus,
    errors: [404],
  },
  suspendPage: {
    method: "put",
    path: "/operator/pages/{id}/suspension",
    tag: "Operator",
    summary: "Suspend a hosted page and its form: visitors get a generic 403 or 451",
    auth: "operator",
    body: SuspensionInput,
    status: 200,
    response: SuspensionStatus,
    errors: [...bodyErrors, 404],
  },
  liftPage: {
    method: "delete",
    path: "/operator/pages/{id}/suspension",
    tag: "Operator",
    summary: "Lift the suspension of a hosted page",
    auth: "operator",
    status: 200,
    response: SuspensionStatus,
    errors: [404],
  },
  suspendWorkspace: {
    method: "put",
    path: "/operator/workspaces/{id}/suspension",
    tag: "Operator",
    summary: "Suspend a workspace: its QR codes and pages stop, and it can't create any",
    auth: "operator",
    body: SuspensionInput,
    status: 200,
    response: SuspensionStatus,
    errors: [...bodyErrors, 404],
  },
  liftWorkspace: {
    method: "delete",
    path: "/operator/workspaces/{id}/suspension",
    tag: "Operator",
    summary: "Lift the suspension of a workspace",
    auth: "operator",
    status: 200,
    response: SuspensionStatus,
    errors: [404],
  },
  getReadiness: {
    method: "get",
    path: "/operator/readiness",
    tag: "Operator",
    summary: "Check readiness: every store and queue; 503 if one fails",
    auth: "operator",
    status: 200,
    response: Readiness,
    failure: Readiness,
    errors: [],
  },
} as const satisfies Record<string, OperatorEndpoint>;
