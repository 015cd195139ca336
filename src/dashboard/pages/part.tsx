import type { PropsWithChildren } from "hono/jsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import type { Child } from "hono/jsx";

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
  /** Whether opening it closes the others. */
  readonly isAlone: boolean;
}

/** The most characters of a text that a folded part shows; the stylesheet cuts it to the line. */
const shownCharacters = 80;

/** A part of a page: one line that opens its fields. */
export const Part = ({
  name,
  title,
  icon,
  text,
  from,
  isOpen,
  isAlone,
  children,
}: PropsWithChildren<Props>) => (
  <details class="part" data-part={name} data-from={from} open={isOpen} name={isAlone ? "part" : undefined}>
    <summary>
      <Icon name={icon} />
      <span class="part-name">{title}</span>
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

/** Parts that have problems are open side by side; otherwise opening one closes the others. */
export const opensAlone = ({ problems }: FormState): boolean => Object.keys(problems).length === 0;
