import type { Form, FormField } from "../contract/resources/pages.ts";
import { limits } from "../contract/limits.ts";
import { guardFields } from "../domain/pages/form-guard.ts";
import type { Problems } from "../domain/pages/submissions.ts";

/** The state in which a form is shown. */
export interface FormState {
  /** Identifies one filling-in of the form, and says when it was shown. */
  readonly token: string;
  readonly values: URLSearchParams;
  readonly problems: Problems;
  /** A message about the form as a whole. */
  readonly notice?: string;
}

/** Why a form is not shown, or was not accepted. */
export const closedNotice = "This form is closed: it has received as many answers as it can take.";

/** Stands in the place of a form that takes no more submissions. */
export const ClosedForm = () => (
  <p class="problem" role="status" lang="en">
    {closedNotice}
  </p>
);

/** A choice with more options than this is a select instead of radio buttons. */
const maxRadios = 6;

/** A page's form. Browsers validate it too, so problems are rare. */
export function PageForm({ pageId, form, state }: { pageId: string; form: Form; state: FormState }) {
  return (
    <form method="post" action={`/pages/${pageId}`}>
      <input type="hidden" name={guardFields.token} value={state.token} />
      {state.notice !== undefined && (
        <p class="problem" role="alert" lang="en">
          {state.notice}
        </p>
      )}
      {form.fields.map((field) => (
        <div class="field">
          <Field field={field} state={state} />
        </div>
      ))}
      <Trap />
      <button class="button" type="submit">
        {form.button}
      </button>
    </form>
  );
}

/** A field that only programs fill in. Assistive technology and the Tab key pass over it, and browsers don't fill it. */
function Trap() {
  const { trap } = guardFields;
  return (
    <div class="trap" aria-hidden="true">
      <label for={trap}>Leave this empty</label>
      <input id={trap} type="text" name={trap} tabindex={-1} autocomplete="off" />
    </div>
  );
}

interface FieldProps {
  field: FormField;
  state: FormState;
}

function Field({ field, state }: FieldProps) {
  if (field.type === "checkbox") return <Checkbox field={field} state={state} />;
  if (field.type === "choice" && field.options.length <= maxRadios) {
    return <Radios field={field} options={field.options} state={state} />;
  }
  return (
    <>
      <label for={idOf(field)}>
        {field.label}
        <RequiredMark field={field} />
      </label>
      <Problem field={field} state={state} />
      <Control field={field} state={state} />
    </>
  );
}

/** The input, textarea or select of a field. */
function Control({ field, state }: FieldProps) {
  const value = state.values.get(field.name) ?? "";
  const common = { id: idOf(field), class: "entry", ...attributesOf(field, state) };
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

function Checkbox({ field, state }: FieldProps) {
  return (
    <>
      <Problem field={field} state={state} />
      <label class="option">
        <input
          {...attributesOf(field, state)}
          type="checkbox"
          value="yes"
          checked={state.values.has(field.name)}
        />
        <span>
          {field.label}
          <RequiredMark field={field} />
        </span>
      </label>
    </>
  );
}

function Radios({ field, options, state }: FieldProps & { options: readonly string[] }) {
  return (
    <fieldset>
      <legend>
        {field.label}
        <RequiredMark field={field} />
      </legend>
      <Problem field={field} state={state} />
      {options.map((option) => (
        <label class="option">
          <input
            {...attributesOf(field, state)}
            type="radio"
            value={option}
            checked={state.values.get(field.name) === option}
          />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Problem({ field, state }: FieldProps) {
  const problem = state.problems[field.name];
  if (problem === undefined) return null;
  return (
    <p class="problem" id={problemId(field)} lang="en">
      This {problem}.
    </p>
  );
}

/** The asterisk of a required field. Hidden from screen readers, which announce `required`. */
function RequiredMark({ field }: { field: FormField }) {
  return field.required ? <span aria-hidden="true"> *</span> : null;
}

const idOf = ({ name }: FormField) => `field-${name}`;
const problemId = ({ name }: FormField) => `problem-${name}`;

/** Attributes common to all inputs of a field; the first field with a problem gets the focus. */
function attributesOf(field: FormField, { problems }: FormState) {
  const { name, required } = field;
  const invalid =
    problems[name] === undefined ? {} : { "aria-invalid": "true", "aria-describedby": problemId(field) };
  return { name, required, ...invalid, autofocus: Object.keys(problems)[0] === name };
}
