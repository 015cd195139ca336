import { type QrType, qrTypeNames } from "../../contract/resources/enums.ts";
import type { Qr, QrCreateInput } from "../../contract/resources/codes/qr.ts";
import type { Deps } from "../deps.ts";
import { foldHash, newHash } from "../../lib/text/hash.ts";
import { newId } from "../../lib/text/ids.ts";
import { isUniqueViolation } from "../../store/database-errors.ts";
import { creationOf } from "../../store/history.ts";
import type { EventOf } from "../../protocol/events.ts";
import type { NewEntry } from "../../protocol/history.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { creationsToday, findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { normaliseLinks, type References } from "./data.ts";
import { invalid, requireFound, type ServiceError, storageFull } from "../errors.ts";
import { requireScannable } from "../images/design.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { requireOrder, requireUtmFits } from "./life-span.ts";
import { plainValues } from "./merges.ts";
import type { Styled, StyleLookups } from "../templates/styles.ts";
import { notInPlanError, planCapError, planOf } from "../context/plan.ts";
import { withoutNulls } from "../partial-updates.ts";

/** Attempts to create codes with new hashes. With 32^8 possible hashes, collisions are rare. */
const hashAttempts = 5;

/**
 * Runs a creation, and repeats it if a hash already exists.
 * @param replaceHashes assigns new hashes before a repetition, unless `create` does so itself
 */
export async function retryOnHashCollision<T>(
  create: () => Promise<T>,
  replaceHashes?: () => Promise<void>,
): Promise<T> {
  for (let attempt = 1; attempt < hashAttempts; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (!isHashTaken(error)) throw error;
    }
    await replaceHashes?.();
  }
  return create();
}

/**
 * The error for a short name that is taken or looks like one that is. The same for every code, so that it reveals
 * nothing about the owner.
 */
export const hashTakenError = () => invalid("hash", "is taken. Choose another.");

/**
 * Returns whether a creation failed because its hash or folded hash already exists. Both columns' names begin the same
 * way.
 */
export const isHashTaken = (error: unknown): boolean => isUniqueViolation(error, "qr_codes.hash");

/**
 * A code to create from a request's input, with a new id, and a new hash unless one was chosen.
 * @throws invalid_input for invalid data, and a logo that is too large; plan_limit for a type, or a chosen short name, that the plan does not include
 */
export async function newCodeFromInput(
  deps: Deps,
  context: WorkspaceContext,
  input: Styled<QrCreateInput>,
  references: References,
  { logos }: Pick<StyleLookups, "logos">,
): Promise<QrRow> {
  requireTypeInPlan(context, input.qrType);
  if (input.hash !== undefined && !planOf(context).chosenShortName) throw hashNotInPlanError(context);
  const linked = await normaliseLinks(deps, input, references);
  requireUtmFits(input.qrType, input.utm);
  const row = newCode(context.workspaceId, input.hash ?? newHash(), linked, deps.now());
  requireOrder(row);
  requireScannable(row);
  requireLogoFits(deps, context, row, logos.get(row.logoId ?? ""));
  return row;
}

/**
 * Builds a new code, active unless the input says otherwise. @param input with validated data; @param now epoch
 * milliseconds
 */
export function newCode(workspaceId: string, hash: string, input: Styled<QrCreateInput>, now: number): QrRow {
  const given = plainValues(input, null);
  return {
    ...given,
    status: given.status ?? "active",
    tags: given.tags ?? [],
    id: newId(now),
    workspaceId,
    hash,
    hashFolded: foldHash(hash),
    version: 1,
    qrType: input.qrType,
    nameFolded: foldedName(input.name ?? null),
    data: input.data,
    colorConfig: withoutNulls(input.templateColors ?? input.colorConfig),
    logoId: input.logoId ?? null,
    advanced: withoutNulls(input.templateAdvanced ?? input.advanced),
    utm: withoutNulls(input.utm),
    readable: null,
    measureAt: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    erasedAt: null,
    suspended: null,
    deletedFolderId: null,
  };
}

/** The event qr.created. @param now epoch milliseconds */
export const createdEvent = (qr: Qr, now: number): EventOf<"qr.created"> => ({
  id: newId(now),
  at: now,
  kind: "qr.created",
  data: qr,
});

/** Returns the first entry of a code's history. */
export const createdEntry = ({ actor }: WorkspaceContext, qr: Qr): NewEntry => ({
  v: 1,
  action: "code.created",
  actor,
  object: { kind: "code", id: qr.id, name: qr.name ?? qr.hash },
  changes: creationOf(qr),
});

function requireTypeInPlan(context: WorkspaceContext, type: QrType): void {
  if (!planOf(context).qrTypes.includes(type)) throw typeNotInPlanError(context, type);
}

/** The error for a type that the owner's plan doesn't include. */
export const typeNotInPlanError = (context: WorkspaceContext, type: QrType): ServiceError =>
  notInPlanError(context, `${qrTypeNames[type].inText} codes`, "Upgrade to create them.");

/** The error for a chosen short name on a plan without them. */
export const hashNotInPlanError = (context: WorkspaceContext): ServiceError =>
  notInPlanError(context, "chosen short names", "Leave out hash, or upgrade.");

/** The error for reaching the plan's cap on live codes. */
export const codeLimitError = (context: WorkspaceContext): ServiceError =>
  planCapError(
    context,
    `${planOf(context).liveCodes} live QR codes`,
    "Delete some, or upgrade to create more.",
  );

/** The error for reaching the plan's cap on codes created in a day. */
export const dayLimitError = (context: WorkspaceContext): ServiceError =>
  planCapError(
    context,
    `${planOf(context).creationsPerDay} new or restored QR codes a day`,
    "Try again after midnight UTC, or upgrade to create more today.",
  );

/**
 * Explains why a code could not be added to a workspace that isn't suspended: a cap of the plan is reached, or storage
 * is full.
 */
export const capErrorOf = async (deps: Deps, context: WorkspaceContext): Promise<ServiceError> =>
  (await capProblem(deps, context)) ?? storageFull();

/** Returns which of the plan's caps on codes the workspace has reached. */
export async function capProblem(deps: Deps, context: WorkspaceContext): Promise<ServiceError | undefined> {
  const row = requireFound(await findWorkspace(deps.db, context.workspaceId), "Workspace");
  const { liveCodes, creationsPerDay } = planOf(context);
  if (creationsToday(row, deps.now()) >= creationsPerDay) return dayLimitError(context);
  return liveCodes !== null && row.liveCodes >= liveCodes ? codeLimitError(context) : undefined;
}
