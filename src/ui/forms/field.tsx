import type { Child } from "hono/jsx";
import { readColor, withHash } from "../../lib/image/color.ts";
import { Icon } from "../icon.tsx";
import { type FormState, fieldSentence, problemOf } from "./form.ts";

/** Properties of every field. */
export interface FieldProps {
  readonly form: FormState;
  /** Its name in the form, such as `data.url`, which is also its id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
  /** Whether the hint stays beside a problem, since it says how to fill in the field. */
  readonly keepsHint?: boolean;
  readonly required?: boolean | undefined;
}

/** A control between its label and its hint. A problem replaces the hint. */
export function Field(props: FieldProps & { control: Child }) {
  const { form, name, label, required, control } = props;
  const problem = problemOf(form, name);
  return (
    <div class={problem === undefined ? "field" : "field wrong"}>
      <label for={name}>
        {label}
        {required !== true && <span class="quiet optional"> optional</span>}
      </label>
      {control}
      <FieldTexts {...props} />
    </div>
  );
}

/** Returns the texts that are shown beside a field. */
function textsOf({ form, name, hint, keepsHint = false }: FieldProps) {
  const problem = problemOf(form, name);
  return { problem, hint: problem === undefined || keepsHint ? hint : undefined };
}

/** The hint of a field, or its problem. */
export function FieldTexts(props: FieldProps) {
  const { name, label } = props;
  const { problem, hint } = textsOf(props);
  return (
    <>
      {problem !== undefined && (
        <p class="problem" id={`${name}-problem`}>
          <Icon name="circle-alert" />
          <span>{fieldSentence(label, problem)}</span>
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** Returns the ids of a field's problem and hint; undefined if it has none. */
export function describedBy(props: FieldProps): string | undefined {
  const shown = Object.entries(textsOf(props)).filter(([, text]) => text !== undefined);
  return shown.length === 0 ? undefined : shown.map(([kind]) => `${props.name}-${kind}`).join(" ");
}

/** Returns the attributes that connect a control with its texts. */
export function controlAttributes(props: FieldProps) {
  const { form, name, required } = props;
  return {
    id: name,
    name,
    required: required === true,
    autofocus: form.focus === name,
    "aria-invalid": problemOf(form, name) === undefined ? undefined : "true",
    "aria-describedby": describedBy(props),
  } as const;
}

interface TextProps extends FieldProps {
  readonly type?: "text" | "email" | "tel" | "number" | "password" | "datetime-local" | undefined;
  readonly inputMode?: "url" | "decimal" | undefined;
  readonly placeholder?: string | undefined;
  readonly maxLength?: number | undefined;
  /** Attributes for scripts. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
}

/** A single line of text. */
export function TextField(props: TextProps) {
  const { form, name, type = "text", inputMode, placeholder, maxLength, data } = props;
  const control = (
    <input
      class={type === "datetime-local" ? "entry narrow" : "entry"}
      type={type}
      inputmode={inputMode}
      step={type === "number" ? "any" : undefined}
      placeholder={placeholder}
      maxlength={maxLength}
      dir={type === "text" ? "auto" : undefined}
      value={form.values.get(name) ?? ""}
      {...data}
      {...controlAttributes(props)}
    />
  );
  return <Field {...props} control={control} />;
}

/** Text of several lines. */
export function TextArea(props: FieldProps & { readonly rows?: number | undefined }) {
  const { form, name, rows = 3 } = props;
  // Browsers ignore a line break directly after the tag, so one is added.
  const text = `\n${form.values.get(name) ?? ""}`;
  const control = (
    <textarea class="entry" dir="auto" rows={rows} {...controlAttributes(props)}>
      {text}
    </textarea>
  );
  return <Field {...props} control={control} />;
}

interface SelectProps extends FieldProps {
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** Attributes for scripts. */
  readonly data?: Readonly<Record<`data-${string}`, string | undefined>>;
}

/** A choice of one option. */
export function Select(props: SelectProps) {
  const { form, name, choices, data } = props;
  const chosen = form.values.get(name) ?? "";
  const control = (
    <select class="entry" {...data} {...controlAttributes(props)}>
      {choices.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  );
  return <Field {...props} control={control} />;
}

interface ColorProps extends FieldProps {
  /** The colour that an empty field stands for. */
  readonly otherwise?: string;
  /** Words for an empty field. */
  readonly placeholder?: string;
}

/** A colour as text, which is what counts, beside the browser's own control. A script keeps the two in step. */
export function ColorField(props: ColorProps & { readonly children?: Child }) {
  const { form, name, label, otherwise = "#000000", placeholder, children } = props;
  const text = form.values.get(name) ?? "";
  const color = readColor(withHash((text || otherwise).trim()));
  const control = (
    <>
      <span class="entry color-entry">
        <input
          type="color"
          value={color === null || color === "transparent" ? "#000000" : color}
          aria-label={`${label}, from a palette`}
        />
        <input
          class="address"
          type="text"
          value={text}
          placeholder={placeholder}
          maxlength={60}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...controlAttributes(props)}
        />
      </span>
      {children}
    </>
  );
  return <Field {...props} control={control} />;
}

/** A checkbox. */
export function Checkbox({ form, name, label }: Pick<FieldProps, "form" | "name" | "label">) {
  return (
    <label class="option">
      <input type="checkbox" name={name} value="on" checked={form.values.get(name) === "on"} />
      <span>{label}</span>
    </label>
  );
}
