import { Notice } from "../notice.tsx";

/** A field of a submitted form that someone else has changed since the form was opened, with their value. */
export interface ChangedField {
  readonly label: string;
  readonly saved: string;
}

interface Props {
  /** The thing that the form changes, such as `code`. */
  readonly what: string;
  /** The address of the form. */
  readonly address: string;
  readonly fields: readonly ChangedField[];
  /** The action that replaces the saved values, to begin a sentence with. */
  readonly again?: string;
}

/** Shows the saved values that differ from the form's. */
export function Conflict({ what, address, fields, again = "Save again" }: Props) {
  return (
    <Notice kind="warn">
      <div id="problems" tabindex={-1}>
        <h2>The {what} has changed since you opened this form</h2>
        <p>Your entries differ from the saved values:</p>
        <ul>
          {fields.map(({ label, saved }) => (
            <li>
              {label}: {saved === "" ? "empty" : saved}
            </li>
          ))}
        </ul>
        <p>
          {again} to replace them with your entries, or <a href={address}>start over with the saved values</a>
          .
        </p>
      </div>
    </Notice>
  );
}
