import { limits } from "../../contract/limits.ts";
import { lazy } from "../../lib/lazy.ts";
import type { DashboardRequest } from "../frame/request.ts";
import type { Rejection } from "../frame/submit-form.ts";

/** The options of a choice in a form. */
export interface Item {
  readonly id: string;
  readonly name: string;
}

/** The value of a choice that removes something. */
export const none = "none";

/** A workspace's items, possibly many, and the form fields that choose one. */
export interface Source<T extends Item> {
  /** The field with the id of the chosen item. */
  readonly field: string;
  /** The field to search by name, its label, and the noun for items. */
  readonly findField: string;
  readonly findLabel: string;
  readonly noun: string;
  newest(request: DashboardRequest, limit: number): Promise<readonly T[]>;
  byId(request: DashboardRequest, id: string): Promise<T | undefined>;
  /** Returns items whose names contain the words of a text. */
  find(request: DashboardRequest, text: string, limit: number): Promise<readonly T[]>;
  /** Returns the item with exactly this name. */
  named(request: DashboardRequest, text: string): Promise<T | undefined>;
}

/** The items that a form offers. */
export interface Choices<T extends Item> {
  /** By name. */
  readonly items: readonly T[];
  /** Whether there are more, so that the form needs the search field. */
  readonly hasMore: boolean;
}

const { choices: most } = limits;

/** How many of the newest items an incomplete select offers. */
const newest = 50;

const byName = lazy(() => new Intl.Collator("en", { numeric: true }));

/**
 * Returns the items to choose from: all, if there are few; otherwise those that match a text, or else the newest.
 * @param values of the form; the chosen item is always included
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
  return { items: items.toSorted((a, b) => byName().compare(a.name, b.name)), hasMore };
}

/** Returns the text that a form searches for; empty if none. */
export const textToFind = <T extends Item>({ findField }: Source<T>, values: URLSearchParams): string =>
  values.get(findField)?.trim() ?? "";

/**
 * Returns the item that a text stands for: the one with that name, or the only one that contains its words. Otherwise
 * returns the problem.
 */
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

/** Returns a form's fields, replacing the chosen item with the one searched for. */
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
