import type { QrType } from "../../contract/resources/enums.ts";
import type { Qr, QrCreateInput } from "../../contract/resources/qr.ts";
import type { Deps } from "../deps.ts";
import { newHash } from "../../lib/text/hash.ts";
import { newId } from "../../lib/text/ids.ts";
import { isTaken } from "../../store/catalogue.ts";
import type { EventOf } from "../../protocol/events.ts";
import type { QrRow } from "../../store/codes.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { normaliseData } from "./data.ts";
import { ServiceError } from "../errors.ts";
import type { Applied } from "../images/templates.ts";

/** How often a creation is tried with new hashes: 32^8 of them make even one repetition rare. */
const hashTries = 5;

/**
 * Runs a creation, again should a hash be taken.
 * @param renew gives new hashes before it runs again, where `create` does not do so itself
 */
export async function retryTakenHash<T>(create: () => Promise<T>, renew?: () => Promise<void>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await create();
    } catch (error) {
      if (!isTaken(error, "qr_codes.hash") || tries === hashTries) throw error;
      await renew?.();
    }
  }
}

/**
 * A code to create from a request's input, with a new id and hash.
 * @param pages ids of the hosted pages that a code of type servicepage may show
 * @throws invalid_input for bad data, plan_limit for a type the plan lacks
 */
export async function codeFromInput(
  deps: Deps,
  owner: Owner,
  input: Applied<QrCreateInput>,
  pages: ReadonlySet<string>,
): Promise<QrRow> {
  requireType(owner, input.qrType);
  const data = await normaliseData(deps, input.data, pages);
  return newCode(owner.workspaceId, newHash(), { ...input, data }, deps.now());
}

/** A new code, active. @param input with its data checked; @param now epoch milliseconds */
export function newCode(
  workspaceId: string,
  hash: string,
  input: Applied<QrCreateInput>,
  now: number,
): QrRow {
  return {
    id: newId(now),
    workspaceId,
    hash,
    version: 1,
    qrType: input.qrType,
    name: input.name ?? null,
    data: input.data,
    folderId: input.folderId ?? null,
    tags: input.tags ?? [],
    status: "active",
    colorConfig: input.colorConfig ?? null,
    shape: input.shape ?? null,
    templateId: input.templateId ?? null,
    advanced: input.advanced ?? null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    logoId: input.logoId ?? null,
  };
}

export const createdEvent = (qr: Qr, now: number): EventOf<"qr.created"> => ({
  id: newId(now),
  at: now,
  kind: "qr.created",
  data: qr,
});

function requireType(owner: Owner, type: QrType): void {
  if (!planOf(owner).qrTypes.includes(type)) throw typeLacking(owner, type);
}

/** The plan has no codes of this type. */
export function typeLacking(owner: Owner, type: QrType): ServiceError {
  const { title } = planOf(owner);
  return new ServiceError(
    "plan_limit",
    `Your plan ${title} has no codes of type ${type}; upgrade to create them`,
  );
}

/** The plan's cap on live codes is reached. */
export function codesFull(owner: Owner): ServiceError {
  const plan = planOf(owner);
  return new ServiceError(
    "plan_limit",
    `Your plan ${plan.title} allows ${plan.liveCodes} live QR codes; delete some or upgrade to create more`,
  );
}
