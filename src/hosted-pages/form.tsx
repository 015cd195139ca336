import type { Form, FormField } from "../contract/resources/pages.ts";
import { limits } from "../contract/limits.ts";
import type { Problems } from "../domain/pages/submissions.ts";

/** The hidden field that tells one filling-in of a form from the next. No field of a form begins with `_`. */
export const formToken = "_form";

/** What is in a form when it is shown. */
export interface Entered {
  /** Tells this filling-in from the next. */
  readonly token: string;
  readonly values: URLSearchParams;
  readonly problems: Problems;
  /** What is wrong with the whole, if anything is. */
  readonly notice?: string;
}

/** More options than this are a list to open. */
const mostRadios = 6;

/** A page's form. Browsers check it too; the problems shown are what they let through. */
export function PageForm({ pageId, form, entered }: { pageId: string; form: Form; entered: Entered }) {
  return (
    <form method="post" action={`/pages/${pageId}`}>
      <input type="hidden" name={formToken} value={entered.token} />
      {entered.notice !== undefined && (
        <p class="problem" role="alert" lang="en">
          {entered.notice}
        </p>
      )}
      {form.fields.map((field) => (
        <div class="field">
          <Field field={field} entered={entered} />
        </div>
      ))}
      <button class="button" type="submit">
        {form.button}
      </button>
    </form>
  );
}

interface FieldProps {
  field: FormField;
  entered: Entered;
}

function Field({ field, entered }: FieldProps) {
  if (field.type === "checkbox") return <Checkbox field={field} entered={entered} />;
  if (field.type === "choice" && field.options.length <= mostRadios) {
    return <Radios field={field} options={field.options} entered={entered} />;
  }
  return (
    <>
      <label for={idOf(field)}>
        {field.label}
        <Mark field={field} />
      </label>
      <Problem field={field} entered={entered} />
      <Entry field={field} entered={entered} />
    </>
  );
}

/** What is typed, or chosen from a list. */
function Entry({ field, entered }: FieldProps) {
  const value = entered.values.get(field.name) ?? "";
  const common = { id: idOf(field), class: "entry", ...stateOf(field, entered) };
  const { line, text } = limits.submission;
  switch (field.type) {
    case "email":
      return <input {...common} type="email" autocomplete="email" maxlength={line} value={value} />;
    case "phone":
      return <input {...common} type="tel" autocomplete="tel" maxlength={line} value={value} />;
    case "choice":
      return (
        <select {...common}>
          <option value="" />
          {field.options.map((option) => (
            <option selected={option === value}>{option}</option>
          ))}
        </select>
      );
    case "text":
      return field.multiline ? (
        <textarea {...common} rows={5} maxlength={text}>
          {value}
        </textarea>
      ) : (
        <input {...common} type="text" maxlength={line} value={value} />
      );
    case "checkbox":
      return null;
  }
}

function Checkbox({ field, entered }: FieldProps) {
  return (
    <>
      <Problem field={field} entered={entered} />
      <label class="option">
        <input
          {...stateOf(field, entered)}
          type="checkbox"
          value="yes"
          checked={entered.values.has(field.name)}
        />
        <span>
          {field.label}
          <Mark field={field} />
        </span>
      </label>
    </>
  );
}

function Radios({ field, options, entered }: FieldProps & { options: readonly string[] }) {
  return (
    <fieldset>
      <legend>
        {field.label}
        <Mark field={field} />
      </legend>
      <Problem field={field} entered={entered} />
      {options.map((option) => (
        <label class="option">
          <input
            {...stateOf(field, entered)}
            type="radio"
            value={option}
            checked={entered.values.get(field.name) === option}
          />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Problem({ field, entered }: FieldProps) {
  const problem = entered.problems[field.name];
  if (problem === undefined) return null;
  return (
    <p class="problem" id={problemId(field)} lang="en">
      This {problem}.
    </p>
  );
}

/** Seen by eyes alone: a screen reader says what `required` says. */
function Mark({ field }: { field: FormField }) {
  return field.required ? <span aria-hidden="true"> *</span> : null;
}

const idOf = ({ name }: FormField) => `field-${name}`;
const problemId = ({ name }: FormField) => `problem-${name}`;

/** Name and state of what a field is entered with; the first field with a problem gets the cursor. */
function stateOf(field: FormField, { problems }: Entered) {
  const { name, required } = field;
  const wrong =
    problems[name] === undefined ? {} : { "aria-invalid": "true", "aria-describedby": problemId(field) };
  return { name, required, ...wrong, autofocus: Object.keys(problems)[0] === name };
}
