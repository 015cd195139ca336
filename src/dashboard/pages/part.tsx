import { type Child, createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";

interface Props {
  /** Its name in the preview, too. */
  readonly name: string;
  readonly title: Child;
  readonly icon: IconName;
  /** The beginning of what it holds. */
  readonly text: string;
  /** The id of the field that the text comes from, so that it follows what is entered. */
  readonly from?: string;
  readonly isOpen: boolean;
}

/** The name of the parts of which opening one closes the others; undefined if they don't. */
const Group = createContext<string | undefined>(undefined);

/**
 * Groups parts, unless the form has problems, whose parts are open side by side. The name is new each time, because an open
 * part would be closed if it replaced one of its own group.
 */
export const PartGroup = ({ form, children }: PropsWithChildren<{ readonly form: FormState }>) => (
  <Group.Provider value={Object.keys(form.problems).length === 0 ? crypto.randomUUID() : undefined}>
    {children}
  </Group.Provider>
);

/** The most characters of a text that a folded part shows; the stylesheet cuts it to the line. */
const shownCharacters = 80;

/** A part of a page: one line that opens its fields. */
export const Part = ({ name, title, icon, text, from, isOpen, children }: PropsWithChildren<Props>) => (
  <details class="fold" data-part={name} data-from={from} open={isOpen} name={useContext(Group)}>
    <summary>
      <Icon name={icon} />
      <span class="part-name" dir="auto">
        {title}
      </span>
      <span class="part-text quiet">{text.slice(0, shownCharacters)}</span>
    </summary>
    <div class="part-fields">{children}</div>
  </details>
);

/** Returns whether any of the fields, or of their parts, has a problem. */
export const hasProblem = ({ problems }: FormState, ...fields: readonly string[]): boolean =>
  Object.keys(problems).some((name) =>
    fields.some((field) => name === field || name.startsWith(`${field}.`)),
  );
