import { limits } from "../../contract/limits.ts";
import type { Rejection } from "../frame/submit-form.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** The options of a choice in a form. */
export interface Item {
  readonly id: string;
  readonly name: string;
}

/** Items of a workspace that may be many, and the fields of a form that choose one. */
export interface Source<T extends Item> {
  /** The field with the id of the one that is chosen. */
  readonly field: string;
  /** The field with words of a name, its label, and what the items are called. */
  readonly findField: string;
  readonly findLabel: string;
  readonly noun: string;
  newest(request: DashboardRequest, limit: number): Promise<readonly T[]>;
  byId(request: DashboardRequest, id: string): Promise<T | undefined>;
  /** Those whose names have the words of a text. */
  find(request: DashboardRequest, text: string, limit: number): Promise<readonly T[]>;
  /** The one with exactly this name. */
  named(request: DashboardRequest, text: string): Promise<T | undefined>;
}

/** The items that a form offers. */
export interface Choices<T extends Item> {
  /** By name. */
  readonly items: readonly T[];
  /** Whether there are others, so that the form needs the field to find them. */
  readonly hasMore: boolean;
}

const { choices: most } = limits;

/** The newest items in a select that has not all of them. */
const newest = 50;

const byName = new Intl.Collator("en", { numeric: true });

/**
 * The items to choose from: all, if they are few; otherwise those that a text finds, or else the newest.
 * @param values of the form: the item that is chosen is always among them
 */
export async function choicesOf<T extends Item>(
  source: Source<T>,
  request: DashboardRequest,
  values: URLSearchParams,
  field = source.field,
): Promise<Choices<T>> {
  const chosen = values.get(field) ?? "";
  const text = textToFind(source, values);
  const all = await source.newest(request, most + 1);
  const hasMore = all.length > most;
  const found = hasMore && text !== "" ? await source.find(request, text, most) : [];
  const offered = !hasMore ? all : found.length > 0 ? found : all.slice(0, newest);
  const isOffered = chosen === "" || offered.some(({ id }) => id === chosen);
  const missing = isOffered ? undefined : await source.byId(request, chosen);
  const items = missing === undefined ? offered : [...offered, missing];
  return { items: items.toSorted((a, b) => byName.compare(a.name, b.name)), hasMore };
}

/** The text that a form looks for; empty if it looks for none. */
export const textToFind = <T extends Item>({ findField }: Source<T>, values: URLSearchParams): string =>
  values.get(findField)?.trim() ?? "";

/** The item that a text stands for: the one of that name, or the only one with its words; otherwise what is wrong. */
export async function itemFor<T extends Item>(
  source: Source<T>,
  request: DashboardRequest,
  text: string,
): Promise<{ readonly item: T } | { readonly problem: string }> {
  const named = await source.named(request, text);
  if (named !== undefined) return { item: named };
  const [item, ...others] = await source.find(request, text, most);
  if (item === undefined) return { problem: `matches no ${source.noun}` };
  if (others.length === 0) return { item };
  const count = others.length + 1;
  const counted = count === most ? `${count} ${source.noun}s or more` : `${count} ${source.noun}s`;
  return { problem: `matches ${counted}. Choose one from the list.` };
}

/** The fields of a form, with the item that was looked for in place of the one that was chosen. */
export async function withItemFound<T extends Item>(
  source: Source<T>,
  request: DashboardRequest,
  form = request.form,
): Promise<{ readonly form: URLSearchParams } | { readonly rejection: Rejection }> {
  const text = textToFind(source, form);
  if (text === "") return { form };
  const found = await itemFor(source, request, text);
  if ("problem" in found) {
    return { rejection: { problems: { [source.findField]: found.problem }, status: 400 } };
  }
  const entries = new URLSearchParams(form);
  entries.set(source.field, found.item.id);
  entries.delete(source.findField);
  return { form: entries };
}
