import { newId } from "../../lib/text/ids.ts";
import {
  type CodeStep,
  type CurrentCode,
  differingColumns,
  findCurrentCode,
  storeSteps,
  versionColumns,
} from "../../store/codes/changes.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import type { CodeCaps } from "../../store/codes/codes.ts";
import { isStorageFull } from "../../store/database-errors.ts";
import type { Deps } from "../deps.ts";
import { notFound, storageFull } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { perIsolate } from "../isolate-memory.ts";
import { untilStored } from "../lost-races.ts";
import { publishChange } from "../routing/publish.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { codeRoute } from "../routing/routes.ts";
import { markPendingEvents } from "../webhooks/events.ts";

/** Pauses between looks at whether a change's turn has come; after the last, the change goes on alone. */
const turnPauses = { count: 200, milliseconds: 10 };
/** Changes that one transaction stores at most. */
const changesAtOnce = 40;

/** Makes the new row of a code, or returns the row that it was given. @throws ServiceError */
export type Edit = (row: QrRow) => QrRow | Promise<QrRow>;

/** How a change is made. */
interface ChangeOptions {
  /** The caps of the plan, under which a code can be restored. */
  readonly caps?: CodeCaps;
  /** As of untilStored. */
  readonly patience?: number;
}

/** A change, as its request asked for it. */
interface Change extends ChangeOptions {
  readonly edit: Edit;
  outcome?: Outcome;
}

/** `lost` if the code was changed by another request meanwhile, so that nothing was stored. */
type Outcome = { readonly code: Changed } | { readonly error: unknown } | "lost";

/** A code after a change. */
interface Changed extends CurrentCode {
  readonly isChanged: boolean;
  readonly isEventStored: boolean;
}

/** A code of which a request is storing changes. */
interface Turn {
  isTaken: boolean;
  readonly waiting: Change[];
}

const turnsOf = perIsolate(() => new Map<string, Turn>());

/**
 * Changes a code: reads it, makes the new row, and stores what differs with an event, if the code is still the one that was
 * read; otherwise all of it is made again. Equal values change nothing. The code that is returned has been published, also
 * if it was an earlier, interrupted request that changed it.
 * @param prepare looks up what the edit needs; called again for each attempt
 * @throws not_found; what the edit throws; internal (503) while other requests keep changing the code
 */
export async function changeCode(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  id: string,
  prepare: () => Edit | Promise<Edit>,
  options: ChangeOptions = {},
): Promise<Changed> {
  const attempt = async () => changeInTurn(deps, workspaceId, id, { ...options, edit: await prepare() });
  return publishOutcome(deps, await untilStored(deps, "QR code", attempt, options.patience));
}

async function publishOutcome(deps: Deps, outcome: Exclude<Outcome, "lost">): Promise<Changed> {
  if ("error" in outcome) throw outcome.error;
  const { row, isEventStored, isPublicationPending } = outcome.code;
  if (isEventStored) markPendingEvents(deps, row.workspaceId);
  if (isPublicationPending) await publishChange(deps, codeKind, row.hash, codeRoute(row));
  return outcome.code;
}

/**
 * Changes of one code in an isolate take turns, and those that wait are stored together by one of them. That spares
 * attempts, and nothing depends on it: the request that has the turn may die, and then the others go on without it.
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

/** Makes changes of a code one after the other and stores them at once. @returns the outcome of the first */
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
 * Stores changes in one transaction. If the workspace has no space for all of them, they are stored in the parts that
 * `split` makes of them, so that only what needs the space is refused.
 * @returns the changes that were refused
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
  // Ids of the same millisecond are in no order, and events are delivered in that of their ids.
  const eventIds = changes.map(() => newId(at)).sort();
  let { row, isPublicationPending } = found;
  const made: { readonly after: number; readonly make: (events: readonly boolean[]) => Outcome }[] = [];
  for (const change of changes) {
    try {
      const step = stepOf(row, await change.edit(row), {
        at,
        id: eventIds[steps.length] ?? newId(at),
        scanOrigin: deps.settings.scanOrigin,
        caps: change.caps,
      });
      const isChanged = step !== undefined;
      if (step !== undefined) {
        steps.push(step);
        row = step.after;
        isPublicationPending ||= step.columns.some(({ route }) => route === true);
      }
      const code = { row, isChanged, isPublicationPending };
      const position = steps.length - 1;
      made.push({
        after: steps.length,
        make: (events) => ({ code: { ...code, isEventStored: isChanged && events[position] === true } }),
      });
    } catch (error) {
      made.push({ after: steps.length, make: () => ({ error }) });
    }
  }
  const events = steps.length === 0 ? [] : await storeSteps(deps.db, steps);
  return made.map(({ after, make }) => (after <= events.length ? make(events) : "lost"));
}

/** Details of a step besides the code: when it is made, the id of its event, and as in CodeStep. */
interface StepContext extends Pick<CodeStep, "caps"> {
  readonly at: number;
  readonly id: string;
  readonly scanOrigin: string;
}

/** The next version of a code with its event; undefined if the code stays as it is. */
export function stepOf(
  before: QrRow,
  edited: QrRow,
  { at, id, scanOrigin, caps }: StepContext,
): CodeStep | undefined {
  const differing = differingColumns(before, edited);
  if (differing.length === 0) return undefined;
  const after = { ...edited, version: before.version + 1, updatedAt: at };
  const step = { before, after, columns: [...differing, ...versionColumns], caps };
  const data = presentQr(after, scanOrigin);
  const isDeletion = differing.some(({ key }) => key === "deletedAt");
  if (isDeletion && after.deletedAt !== null) return { ...step, event: { id, at, kind: "qr.deleted", data } };
  const fields = differing.flatMap(({ key, reported = key }) => reported ?? []);
  const changed = isDeletion ? ["deleted"] : fields;
  return { ...step, event: { id, at, kind: "qr.updated", data: { ...data, changed } } };
}
