import { nullsAbsent } from "../../contract/absent-fields.ts";
import { describeIssues } from "../../contract/issues.ts";
import { isOfExisting, QrCreateInput, type QrPutInput } from "../../contract/resources/codes/qr.ts";
import { findQrByOwnId } from "../../store/codes/codes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { actOnCode } from "../conflicts.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireVersion, ServiceError, type Versions } from "../errors.ts";
import { createQr, deleteQr, updateQr, type VersionedQr, versionedQr } from "./codes.ts";
import { takenIdError } from "./references.ts";

/** Codes by their client's own id. */

/** Whether a code must exist, or must not. */
export interface Precondition {
  readonly exists?: boolean | undefined;
  readonly versions?: Versions;
}

/** A code after a PUT. */
interface Put {
  readonly qr: VersionedQr;
  readonly isCreated: boolean;
}

/**
 * Creates a code with an own id, or changes the one that has it: fields left out stay. Repeating it changes nothing. Two
 * at once make one code.
 * @throws invalid_input, also (409) while a deleted code has the id, and (412) if the precondition isn't met; plan_limit;
 * forbidden in a suspended workspace
 */
export async function putQr(
  deps: Deps,
  context: WorkspaceContext,
  externalId: string,
  { scanUrl, ...input }: QrPutInput,
  { exists, versions }: Precondition = {},
): Promise<Put> {
  requirePermission(context, "codes.write");
  if (input.externalId !== undefined && input.externalId !== externalId) {
    throw invalid("externalId", "must be the one in the address, or left out");
  }
  const create = async (): Promise<Put> => {
    const { hash, ...others } = input;
    const chosen = isOfExisting(scanUrl, hash) ? {} : { hash };
    const created = await createQr(deps, context, creationOf({ ...others, ...chosen, externalId }));
    return { qr: { qr: created, version: 1, logoId: null }, isCreated: true };
  };
  const find = () => findQrByOwnId(deps.db, context.workspaceId, externalId);
  return actOnCode(deps, find, (row) => {
    if (row === undefined) {
      if (exists === true) throw unmet("No QR code has this externalId. Create it without If-Match.");
      return create;
    }
    if (row.deletedAt !== null) throw takenIdError({ id: row.id, isDeleted: true });
    if (exists === false) throw unmet("A QR code has this externalId already.");
    requireVersion(row, versions);
    return async () => ({
      qr: await updateQr(deps, context, row.id, input, [row.version]),
      isCreated: false,
    });
  });
}

const unmet = (message: string) => new ServiceError("invalid_input", message, { status: 412 });

const Creation = nullsAbsent(QrCreateInput);

/** @throws invalid_input for fields that a new code needs or can't have */
function creationOf(input: object): QrCreateInput {
  const { data, error } = Creation.safeParse(input);
  if (data !== undefined) return data;
  const problem = describeIssues(error.issues);
  throw new ServiceError("invalid_input", `${problem} No QR code has this externalId yet.`);
}

/** Returns the code with an own id. @throws not_found */
export const getQrByOwnId = async (
  deps: Deps,
  context: WorkspaceContext,
  externalId: string,
): Promise<VersionedQr> => versionedQr(deps, await requireLive(deps, context, externalId));

/** Soft-deletes the code with an own id. It keeps the id until it is erased. @throws not_found; invalid_input (412) */
export const deleteQrByOwnId = (
  deps: Deps,
  context: WorkspaceContext,
  externalId: string,
  versions: Versions,
): Promise<{ success: true }> =>
  actOnCode(
    deps,
    () => requireLive(deps, context, externalId),
    (row) => {
      requireVersion(row, versions);
      return () => deleteQr(deps, context, row.id, [row.version]);
    },
  );

async function requireLive(deps: Deps, context: WorkspaceContext, externalId: string): Promise<QrRow> {
  const row = await findQrByOwnId(deps.db, context.workspaceId, externalId);
  if (row === undefined || row.deletedAt !== null) throw notFound("QR code");
  return row;
}
