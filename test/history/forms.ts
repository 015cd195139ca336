import type { Browser } from "../support/browser.ts";
import { fieldsOf, pageAt } from "../support/dashboard.ts";
import type { ExpectedEntries, HistoryWorkspace } from "../support/history-workspace.ts";
import type { FormValues } from "../support/images/templates.ts";
import type { SessionClient } from "../support/service.ts";

/** How forms of the dashboard are submitted, and what the history says of them. */

/** A workspace with the browser of its owner. */
export interface World extends HistoryWorkspace {
  readonly browser: Browser;
}

/** A form that is about to be submitted, and who does, instead of the owner. */
export interface Form {
  readonly path: string;
  readonly fields?: FormValues;
  readonly by?: SessionClient;
}

export interface Case {
  readonly expected: ExpectedEntries;
  /** Changes that the service itself then makes, such as when it finds that a host is free. */
  readonly found?: ExpectedEntries;
  readonly form: (world: World) => Promise<Form>;
}

/** Why forms have no entries. */
export const none = {
  account: { none: "It belongs to the person, not to a workspace" },
  drawing: { none: "Only makes files or pictures of what is there" },
  deliveries: { none: "Sends events; the deliveries show it" },
} as const satisfies Record<string, ExpectedEntries>;

/** Fills in the main form of a page. */
export const filled = async ({ browser }: World, path: string, fields: FormValues = {}): Promise<Form> => ({
  path,
  fields: { ...fieldsOf(await pageAt(browser, `/dashboard${path}`)), ...fields },
});

type Make = (world: World) => Promise<{ readonly id: string }>;

/** A form with a button and few fields, for one of the things in an area. */
export const button =
  (area: string, make: Make, then: string, fields?: FormValues): Case["form"] =>
  async (world) => ({ path: `${area}/${(await make(world)).id}/${then}`, ...(fields && { fields }) });

/** The form of the page for one of the things in an area. */
export const edit =
  (area: string, make: Make, then: string, fields: FormValues = {}): Case["form"] =>
  async (world) =>
    filled(world, `${area}/${(await make(world)).id}/${then}`, fields);
