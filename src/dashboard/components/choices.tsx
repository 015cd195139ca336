import type { FieldProps } from "./field.tsx";
import { problemOf } from "./form.ts";

interface Props extends Omit<FieldProps, "required"> {
  /** Whether one or several can be chosen. */
  readonly type: "radio" | "checkbox";
  readonly choices: readonly Choice[];
}

interface Choice {
  readonly value: string;
  readonly text: string;
  /** What it means. */
  readonly about?: string;
}

/** Choices that are explained, one below the other. */
export function Choices({ form, name, label, hint, type, choices }: Props) {
  const problem = problemOf(form, name);
  const chosen = form.values.getAll(name);
  const describedBy = [
    hint === undefined ? [] : `${name}-hint`,
    problem === undefined ? [] : `${name}-problem`,
  ];
  return (
    <fieldset
      class={problem === undefined ? "field" : "field wrong"}
      id={name}
      aria-describedby={describedBy.flat().join(" ") || undefined}
    >
      <legend>{label}</legend>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" id={`${name}-problem`}>
          {label} {problem}
        </p>
      )}
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
