import type { PropsWithChildren } from "hono/jsx";
import { PostForm } from "./post-form.tsx";

interface ButtonsProps {
  /** The text of the first. */
  readonly submit: string;
  /** The path of "Cancel". */
  readonly back: string;
  /** Whether the form destroys something. */
  readonly danger?: boolean;
}

/** The buttons at the end of a form. @param children further ones */
export const FormButtons = ({ submit, back, danger = false, children }: PropsWithChildren<ButtonsProps>) => (
  <div class="buttons">
    <button class={danger ? "button danger primary" : "button primary"} type="submit">
      {submit}
    </button>
    <a class="button" href={back}>
      Cancel
    </a>
    {children}
  </div>
);

/** A button that submits a change without further fields. */
export function Action({ path, danger, children }: PropsWithChildren<{ path: string; danger?: boolean }>) {
  return (
    <PostForm action={path}>
      <button class={danger === true ? "button danger" : "button"} type="submit">
        {children}
      </button>
    </PostForm>
  );
}

/** The field that identifies a form submitted twice. @param value that the form already had, if it is shown again */
export const FormKey = ({ value }: { value?: string | null }) => (
  <input type="hidden" name="key" value={value ?? crypto.randomUUID()} autocomplete="off" />
);

/** The Enter key presses a form's first button. This one saves, where the visible ones only fill in fields. */
export const DefaultSubmit = () => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: only programs press it, since Tab leaves it out.
  <button class="visually-hidden" type="submit" tabindex={-1} aria-hidden="true">
    Save
  </button>
);
