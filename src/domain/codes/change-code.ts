import type { HistoryAction } from "../../contract/resources/history/history.ts";
import { newId } from "../../lib/text/ids.ts";
import type { NewEntry } from "../../protocol/history.ts";
import {
  type CodeStep,
  type CurrentCode,
  differingColumns,
  findCurrentCode,
  storeSteps,
  versionColumns,
} from "../../store/codes/changes.ts";
import { codeChanges, presentQr, type QrRow } from "../../store/codes/columns.ts";
import type { CodeCaps } from "../../store/codes/codes.ts";
import { isStorageFull } from "../../store/database-errors.ts";
import type { Deps } from "../deps.ts";
import { notFound, storageFull } from "../errors.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { perIsolate } from "../isolate-memory.ts";
import { untilStored } from "../lost-races.ts";
import { publishChange } from "../routing/publish.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { codeRoute } from "../routing/routes.ts";

/** How often, and how long apart, a waiting change checks whether its turn has come. It then proceeds alone. */
const turnPauses = { count: 200, milliseconds: 10 };
/** The most changes that one transaction stores. */
const changesAtOnce = 40;

/** Computes a code's new row, or returns the given one. @throws ServiceError */
export type Edit = (row: QrRow) => QrRow | Promise<QrRow>;

/** Options for storing a change. */
interface ChangeOptions {
  /** The plan's caps that apply to restoring a code. */
  readonly caps?: CodeCaps;
  /** See untilStored. */
  readonly patience?: number;
}

/** A change as requested. */
interface Change extends ChangeOptions, Pick<WorkspaceContext, "actor" | "revertOf"> {
  readonly edit: Edit;
  outcome?: Outcome;
}

/** `lost` if another request changed the code first, so that nothing was stored. */
type Outcome = { readonly code: Changed } | { readonly error: unknown } | "lost";

/** A code after a change. */
interface Changed extends CurrentCode {
  readonly isChanged: boolean;
}

/** A code whose changes a request is currently storing. */
interface Turn {
  isTaken: boolean;
  readonly waiting: Change[];
}

const turnsOf = perIsolate(() => new Map<string, Turn>());

/**
 * Changes a code: reads it, computes the new row, and stores the differences with an event, provided that the code has
 * not changed since it was read. Otherwise it starts over. Equal values change nothing. The returned code has been
 * published, even if it was changed by an earlier request that was interrupted.
 * @param prepare looks up what the edit needs; called again for each attempt
 * @throws not_found; errors of the edit; internal (503) while other requests keep changing the code
 */
export async function changeCode(
  deps: Deps,
  { workspaceId, ...origin }: Pick<WorkspaceContext, "workspaceId" | "actor" | "revertOf">,
  id: string,
  prepare: () => Edit | Promise<Edit>,
  options: ChangeOptions = {},
): Promise<Changed> {
  const attempt = async () =>
    changeInTurn(deps, workspaceId, id, { ...options, ...origin, edit: await prepare() });
  return publishOutcome(deps, await untilStored(deps, "QR code", attempt, options.patience));
}

async function publishOutcome(deps: Deps, outcome: Exclude<Outcome, "lost">): Promise<Changed> {
  if ("error" in outcome) throw outcome.error;
  const { row, isPublicationPending } = outcome.code;
  if (isPublicationPending) await publishChange(deps, codeKind, row.hash, codeRoute(row));
  return outcome.code;
}

/**
 * Changes of one code within an isolate take turns, and one request stores those that wait in one batch. This only
 * saves attempts: if the request whose turn it is dies, the others proceed without it.
 */
async function changeInTurn(deps: Deps, workspaceId: string, id: string, change: Change): Promise<Outcome> {
  const turns = turnsOf(deps);
  const key = `${workspaceId} ${id}`;
  const turn = turns.get(key) ?? { isTaken: false, waiting: [] };
  turns.set(key, turn);
  turn.waiting.push(change);
  for (let pauses = 0; turn.isTaken && pauses < turnPauses.count; pauses += 1) {
    await deps.pause(turnPauses.milliseconds);
    if (change.outcome !== undefined) return change.outcome;
  }
  if (turn.isTaken && turns.get(key) === turn) turns.delete(key);
  const isAlone = turn.isTaken;
  const own = turn.waiting.indexOf(change);
  if (own >= 0) turn.waiting.splice(own, 1);
  if (isAlone) return changeTogether(deps, workspaceId, id, [change]);
  turn.isTaken = true;
  try {
    const others = turn.waiting.splice(0, changesAtOnce - 1);
    return await changeTogether(deps, workspaceId, id, [change, ...others]);
  } finally {
    turn.isTaken = false;
    if (turn.waiting.length === 0 && turns.get(key) === turn) turns.delete(key);
  }
}

/** Computes changes of a code one after the other and stores them together. @returns the outcome of the first */
async function changeTogether(
  deps: Deps,
  workspaceId: string,
  id: string,
  changes: readonly [Change, ...Change[]],
): Promise<Outcome> {
  const each = (all: readonly Change[]) => all.map((change) => [change]);
  try {
    const refused = await storeWithSpace(changes, each, async (some) => {
      const found = await findCurrentCode(deps.db, workspaceId, id);
      if (found === undefined) throw notFound("QR code");
      const outcomes = await makeAndStore(deps, found, some);
      for (const [i, change] of some.entries()) change.outcome = outcomes[i] ?? "lost";
    });
    for (const change of refused) change.outcome = { error: storageFull() };
  } catch (error) {
    for (const change of changes) change.outcome ??= { error };
  }
  return changes[0].outcome ?? "lost";
}

/**
 * Stores changes in one transaction. If the workspace lacks space for all of them, stores the parts that `split`
 * returns, so that only changes that need space are refused.
 * @returns the refused changes
 */
export async function storeWithSpace<T>(
  changes: readonly T[],
  split: (changes: readonly T[]) => readonly (readonly T[])[],
  store: (changes: readonly T[]) => Promise<void>,
): Promise<T[]> {
  try {
    await store(changes);
    return [];
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
  const parts = split(changes).filter((part) => part.length > 0);
  if (parts.length < 2) return [...changes];
  const refused: T[] = [];
  for (const part of parts) refused.push(...(await storeWithSpace(part, split, store)));
  return refused;
}

async function makeAndStore(deps: Deps, found: CurrentCode, changes: readonly Change[]): Promise<Outcome[]> {
  const steps: CodeStep[] = [];
  const at = deps.now();
  let { row, isPublicationPending } = found;
  const made: { readonly after: number; readonly outcome: Outcome }[] = [];
  for (const change of changes) {
    try {
      const step = stepOf(row, await change.edit(row), {
        at,
        id: newId(at),
        scanOrigin: deps.settings.scanOrigin,
        caps: change.caps,
        actor: change.actor,
        ...(change.revertOf !== undefined && { revertOf: change.revertOf }),
      });
      const isChanged = step !== undefined;
      if (step !== undefined) {
        steps.push(step);
        row = step.after;
        isPublicationPending ||= step.columns.some(({ route }) => route === true);
      }
      made.push({ after: steps.length, outcome: { code: { row, isChanged, isPublicationPending } } });
    } catch (error) {
      made.push({ after: steps.length, outcome: { error } });
    }
  }
  const stored = steps.length === 0 ? 0 : await storeSteps(deps.db, steps);
  return made.map(({ after, outcome }) => (after <= stored ? outcome : "lost"));
}

function actionOf(after: QrRow, differing: CodeStep["columns"]): HistoryAction {
  const keys = differing.map(({ key }) => key);
  if (keys.includes("deletedAt")) return after.deletedAt === null ? "code.restored" : "code.deleted";
  if (!keys.includes("suspended")) return "code.updated";
  return after.suspended === null ? "code.unsuspended" : "code.suspended";
}

/** A step's properties besides the code: its time, the id of its event, and those of CodeStep and its history. */
interface StepContext extends Pick<CodeStep, "caps">, Pick<NewEntry, "actor" | "jobId" | "revertOf"> {
  readonly at: number;
  readonly id: string;
  readonly scanOrigin: string;
}

/** Returns a code's next version with its event; undefined if the code doesn't change. */
export function stepOf(
  before: QrRow,
  edited: QrRow,
  { at, id, scanOrigin, caps, ...origin }: StepContext,
): CodeStep | undefined {
  const differing = differingColumns(before, edited);
  if (differing.length === 0) return undefined;
  const after = { ...edited, version: before.version + 1, updatedAt: at };
  const isDeletion = differing.some(({ key }) => key === "deletedAt");
  const history: NewEntry = {
    v: 1,
    action: actionOf(after, differing),
    ...origin,
    object: { kind: "code", id: after.id, name: after.name ?? after.hash },
    changes: codeChanges(before, after, differing),
  };
  const step = { before, after, columns: [...differing, ...versionColumns], history, caps };
  const data = presentQr(after, scanOrigin);
  if (isDeletion && after.deletedAt !== null) return { ...step, event: { id, at, kind: "qr.deleted", data } };
  const fields = differing.flatMap(({ key, reported = key }) => reported ?? []);
  const changed = isDeletion ? ["deleted"] : fields;
  return { ...step, event: { id, at, kind: "qr.updated", data: { ...data, changed } } };
}
