import { limits } from "../contract/limits.ts";
import type { Form, FormField } from "../contract/resources/pages.ts";
import { guardFields, isTrapFilled } from "../domain/pages/form-guard.ts";
import type { Problem as ProblemOfValue, Problems } from "../domain/pages/submissions.ts";
import type { PageTexts } from "../ui/visitors/texts/catalogue.ts";
import type { Texts } from "../ui/visitors/texts/texts.ts";

/** The state in which a form is shown. */
export interface FormState {
  /** Identifies one submission of the form, and contains the time it was shown. */
  readonly token: string;
  readonly values: URLSearchParams;
  readonly problems: Problems;
  /** Why the form as a whole was rejected. */
  readonly notice?: Notice;
}

type Notice = keyof Texts["notices"] | "closed";

/** Replaces a form that accepts no more submissions. */
export const ClosedForm = ({ texts, marks }: PageTexts) => (
  <p class="problem" role="status" {...marks}>
    {texts.closed}
  </p>
);

/** A choice with more options than this is a select instead of radio buttons. */
const maxRadios = 6;

interface FormProps {
  readonly pageId: string;
  readonly form: Form;
  readonly state: FormState;
  readonly pageTexts: PageTexts;
  /** The editor's names of the fields, in a preview. */
  readonly parts?: readonly string[] | undefined;
}

/** A page's form. Browsers validate it too, so problems are rare. */
export function PageForm({ pageId, form, state, pageTexts, parts }: FormProps) {
  const { texts, marks } = pageTexts;
  return (
    <form method="post" action={`/pages/${pageId}`} data-part={parts && "form"}>
      <input type="hidden" name={guardFields.token} value={state.token} />
      {state.notice !== undefined && (
        <p class="problem" role="alert" {...marks}>
          {state.notice === "closed" ? texts.closed : texts.notices[state.notice]}
        </p>
      )}
      {form.fields.some(({ required }) => required) && (
        <p class="small" {...marks}>
          {texts.required}
        </p>
      )}
      {form.fields.map((field, i) => (
        <div class="field" data-part={parts?.[i]}>
          <Field field={field} state={state} pageTexts={pageTexts} />
        </div>
      ))}
      {!isCaught(state) && <Trap {...pageTexts} />}
      <button class="button" type="submit" {...(form.button === null ? marks : {})}>
        {form.button ?? texts.send}
      </button>
    </form>
  );
}

/** Whether a form was sent with a filled trap, or came back without one. Whatever filled it in would do so again. */
const isCaught = ({ notice, values }: FormState): boolean =>
  notice !== undefined && (isTrapFilled(values) || !values.has(guardFields.trap));

/** How password managers are told to leave a field alone: 1Password, LastPass, Bitwarden, Dashlane, Proton Pass. */
const notForManagers = {
  "data-1p-ignore": "",
  "data-lpignore": "true",
  "data-bwignore": "true",
  "data-form-type": "other",
  "data-protonpass-ignore": "true",
};

/** A field that only programs fill in. Assistive technology and the Tab key skip it, and browsers don't autofill it. */
function Trap({ texts, marks }: PageTexts) {
  const { trap } = guardFields;
  return (
    <div class="trap" aria-hidden="true" {...marks}>
      <label for={trap}>{texts.leaveEmpty}</label>
      <input id={trap} type="text" name={trap} tabindex={-1} autocomplete="off" {...notForManagers} />
    </div>
  );
}

interface FieldProps {
  field: FormField;
  state: FormState;
  pageTexts: PageTexts;
}

function Field(props: FieldProps) {
  const { field } = props;
  if (field.type === "checkbox") return <Checkbox {...props} />;
  if (field.type === "choice" && field.options.length <= maxRadios) {
    return <Radios {...props} options={field.options} />;
  }
  return (
    <>
      <label for={idOf(field)}>
        {field.label}
        <RequiredMark field={field} />
      </label>
      <Problem {...props} />
      <Control {...props} />
    </>
  );
}

/** The input, textarea or select of a field. */
function Control({ field, state }: FieldProps) {
  const value = state.values.get(field.name) ?? "";
  const common = { id: idOf(field), class: "entry", ...fieldAttributes(field, state) };
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

function Checkbox(props: FieldProps) {
  const { field, state } = props;
  return (
    <>
      <Problem {...props} />
      <label class="option">
        <input
          {...fieldAttributes(field, state)}
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

function Radios(props: FieldProps & { options: readonly string[] }) {
  const { field, options, state } = props;
  return (
    <fieldset>
      <legend>
        {field.label}
        <RequiredMark field={field} />
      </legend>
      <Problem {...props} />
      {options.map((option) => (
        <label class="option">
          <input
            {...fieldAttributes(field, state)}
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

function Problem({ field, state, pageTexts: { texts, marks } }: FieldProps) {
  const problem = state.problems[field.name];
  if (problem === undefined) return null;
  return (
    <p class="problem" id={problemId(field)} {...marks}>
      {textOf(problem, texts)}
    </p>
  );
}

const textOf = (problem: ProblemOfValue, { problems }: Texts): string =>
  typeof problem === "string" ? problems[problem] : problems.tooLong(problem.maxCharacters);

/** The asterisk of a required field. Hidden from screen readers, which announce `required`. */
function RequiredMark({ field }: { field: FormField }) {
  return field.required ? <span aria-hidden="true"> *</span> : null;
}

const idOf = ({ name }: FormField) => `field-${name}`;
const problemId = ({ name }: FormField) => `problem-${name}`;

/** Returns the attributes common to all inputs of a field. The first field with a problem gets the focus. */
function fieldAttributes(field: FormField, { problems }: FormState) {
  const { name, required } = field;
  const invalid =
    problems[name] === undefined ? {} : { "aria-invalid": "true", "aria-describedby": problemId(field) };
  return { name, required, ...invalid, autofocus: Object.keys(problems)[0] === name };
}
