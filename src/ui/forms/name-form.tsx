import type { PropsWithChildren } from "hono/jsx";
import { FormButtons } from "./buttons.tsx";
import { type FieldProps, TextField } from "./field.tsx";
import { Problems } from "./problems.tsx";

interface Props extends Pick<FieldProps, "form" | "name" | "hint"> {
  readonly maxLength: number;
  /** The button's text. */
  readonly submit: string;
  /** The path of "Cancel". */
  readonly back: string;
}

/** A form for a resource that only has a name. Submitted to its own address. @param children hidden fields */
export const NameForm = ({ submit, back, children, ...field }: PropsWithChildren<Props>) => (
  <form class="narrow-form" method="post" novalidate>
    {children}
    <Problems form={field.form} labels={{ [field.name]: "Name" }} />
    <TextField {...field} label="Name" required />
    <FormButtons submit={submit} back={back} />
  </form>
);
