import type { PropsWithChildren } from "hono/jsx";
import { FormButtons } from "./buttons.tsx";
import { type FieldProps, TextField } from "./field.tsx";
import { PostForm } from "./post-form.tsx";
import { Problems } from "./problems.tsx";

/** The field of a name, and the buttons below it. */
export interface NameFormProps extends Pick<FieldProps, "form" | "name" | "hint"> {
  readonly maxLength: number;
  /** The button's text. */
  readonly submit: string;
  /** The path of "Cancel". */
  readonly back: string;
}

/** A form for a resource that only has a name. Submitted to its own address. @param children hidden fields */
export const NameForm = ({ submit, back, children, ...field }: PropsWithChildren<NameFormProps>) => (
  <PostForm class="narrow-form" novalidate>
    {children}
    <Problems form={field.form} labels={{ [field.name]: "Name" }} />
    <TextField {...field} label="Name" required />
    <FormButtons submit={submit} back={back} />
  </PostForm>
);
