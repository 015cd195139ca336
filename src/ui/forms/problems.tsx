import { Icon } from "../icon.tsx";
import { type FormState, formSentence } from "./form.ts";

/** Lists a form's problems above it, with links to the fields. @param labels of the fields, by name */
export function Problems({ form, labels }: { form: FormState; labels: Readonly<Record<string, string>> }) {
  const problems = Object.entries(form.problems);
  if (problems.length === 0) return null;
  return (
    <div class="notice bad" id="problems" tabindex={-1} role="alert">
      <Icon name="circle-alert" />
      <div>
        <h2>{problems.length === 1 ? "One field needs a fix" : `${problems.length} fields need a fix`}</h2>
        <ul>
          {problems.map(([field, problem]) => {
            const name = Object.keys(labels).find(
              (known) => field === known || field.startsWith(`${known}.`),
            );
            return (
              <li>
                {name === undefined ? (
                  problem
                ) : (
                  <a href={`#${name}`}>{formSentence(labels[name] ?? "", problem)}</a>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
