import { describedBy, type FieldProps, FieldTexts } from "./field.tsx";
import { problemOf } from "./form.ts";

interface Props extends Omit<FieldProps, "required"> {
  /** Whether one or several can be selected. */
  readonly type: "radio" | "checkbox";
  readonly choices: readonly Choice[];
}

interface Choice {
  readonly value: string;
  readonly text: string;
  /** An explanation. */
  readonly about?: string;
}

/** Choices with explanations, one below the other. */
export function Choices({ type, choices, ...field }: Props) {
  const { form, name, label } = field;
  const chosen = form.values.getAll(name);
  return (
    <fieldset
      class={problemOf(form, name) === undefined ? "field" : "field wrong"}
      id={name}
      aria-describedby={describedBy(field)}
    >
      <legend>{label}</legend>
      <FieldTexts {...field} />
      <div>
        {choices.map(({ value, text, about }) => (
          <label class="option explained">
            <input type={type} name={name} value={value} checked={chosen.includes(value)} />
            <span>
              {text}
              {about !== undefined && <span class="small quiet">{about}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
