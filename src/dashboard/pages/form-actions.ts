import { additionsTo, type Entry, type ListName, listNames } from "./entry-types.ts";
import type { PageForm, SubmittedPageForm } from "./form-values.ts";

/** A change to a list of the editor's form by a button, such as `blocks.up.2`. It stores nothing. */
type Action =
  | { readonly list: ListName; readonly verb: "add"; readonly entry: Entry }
  | { readonly list: ListName; readonly verb: "up" | "down" | "remove"; readonly number: string };

/** A changed form, and the control to focus. */
export interface ActedForm {
  readonly form: PageForm;
  readonly focus: string;
}

function readAction(text: string): Action | null {
  const [, list, verb, name = ""] = /^(blocks|fields)\.(add|up|down|remove)\.(\w+)$/.exec(text) ?? [];
  if (list !== "blocks" && list !== "fields") return null;
  if (verb === "add") {
    const entry = additionsTo(list).find((addition) => addition.name === name)?.entry;
    return entry === undefined ? null : { list, verb, entry };
  }
  return { list, verb: verb as "up" | "down" | "remove", number: name };
}

/** Applies a button's change. @param text the button's value @returns null if it isn't a change of the lists */
export function act({ form, numbers }: SubmittedPageForm, text: string): ActedForm | null {
  const action = readAction(text);
  if (action === null) return null;
  const { list } = action;
  const entries = [...form[list]];
  const name = (at: number, field: string) => `${listNames[list]}.${at}.${field}`;
  const changed = (focus: string): ActedForm => ({ form: { ...form, [list]: entries }, focus });
  if (action.verb === "add") {
    entries.push(action.entry);
    const first = Object.keys(action.entry).find((field) => field !== "type") ?? "";
    return changed(name(entries.length - 1, first));
  }
  const at = numbers[list].indexOf(action.number);
  const entry = entries[at];
  if (entry === undefined) return changed(`${list}.add`);
  entries.splice(at, 1);
  if (action.verb === "remove") return changed(`${list}.add`);
  const to = Math.max(0, Math.min(entries.length, at + (action.verb === "up" ? -1 : 1)));
  entries.splice(to, 0, entry);
  return changed(name(to, action.verb));
}
