import type { PropsWithChildren } from "hono/jsx";
import { Head } from "../head.tsx";
import { FormButtons } from "./buttons.tsx";
import { Checkbox } from "./field.tsx";
import { HiddenFields } from "./hidden.tsx";
import { PostForm } from "./post-form.tsx";

/** A question before a change. */
export interface ConfirmProps {
  readonly title: string;
  /** The button's text. */
  readonly action: string;
  readonly back: { readonly path: string; readonly name: string };
  /** Hidden values that are submitted with it, by name. */
  readonly values?: Readonly<Record<string, string>>;
  /** A checkbox above the buttons, checked at first. */
  readonly option?: { readonly name: string; readonly label: string };
  /** Set for an action that destroys nothing, such as an undo. */
  readonly isSafe?: boolean;
}

/**
 * Asks for confirmation, usually before something is destroyed. Submitted to its own address. @param children what is lost and
 * what is kept
 */
export function Confirm({
  title,
  action,
  back,
  values = {},
  option,
  isSafe = false,
  children,
}: PropsWithChildren<ConfirmProps>) {
  return (
    <>
      <Head title={title} back={back} />
      <div class="card confirm">
        {children}
        <PostForm>
          <HiddenFields values={Object.entries(values)} />
          {option !== undefined && (
            <Checkbox
              form={{ values: new URLSearchParams([[option.name, "on"]]), problems: {} }}
              {...option}
            />
          )}
          <FormButtons submit={action} back={back.path} danger={!isSafe} />
        </PostForm>
      </div>
    </>
  );
}
