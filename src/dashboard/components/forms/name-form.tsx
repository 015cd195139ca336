import type { PropsWithChildren } from "hono/jsx";
import { FormButtons } from "./buttons.tsx";
import { type FieldProps, TextField } from "./field.tsx";
import { Problems } from "./problems.tsx";

interface Props extends Pick<FieldProps, "form" | "name" | "hint"> {
  readonly maxLength: number;
  /** The words of its button. */
  readonly submit: string;
  /** The path to which "Cancel" leads. */
  readonly back: string;
}

/** The form of a thing that has only a name. It is submitted to its own address. @param children hidden fields */
export const NameForm = ({ submit, back, children, ...field }: PropsWithChildren<Props>) => (
  <form class="narrow-form" method="post" novalidate>
    {children}
    <Problems form={field.form} labels={{ [field.name]: "Name" }} />
    <TextField {...field} label="Name" required />
    <FormButtons submit={submit} back={back} />
  </form>
);
