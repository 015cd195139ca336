import type { HistoryAction } from "../../contract/resources/history/history.ts";
import { newId } from "../../lib/text/ids.ts";
import type { HistoryEntry, NewEntry } from "../../protocol/history.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

/** The parts of an entry besides its actor and time. */
interface Recorded extends Pick<NewEntry, "changes"> {
  readonly id: string;
  readonly name: string | null;
}

/** Returns the entry of a change that is about to be made. @param action such as `folder.created`; begins with the kind */
export function newEntry(
  deps: Deps,
  { actor, revertOf }: Pick<WorkspaceContext, "actor" | "revertOf">,
  action: HistoryAction,
  { id, name, changes }: Recorded,
): HistoryEntry {
  const kind = kindOf(action);
  return {
    v: 1,
    id: newId(deps.now()),
    action,
    actor,
    object: { kind, id, name },
    changes,
    ...(revertOf !== undefined && { revertOf }),
  };
}

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

/** Returns the kind of object that an action is about. */
const kindOf = <Action extends HistoryAction>(action: Action) => action.split(".")[0] as KindOf<Action>;
