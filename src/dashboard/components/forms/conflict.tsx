import { Notice } from "../notice.tsx";

/** A field of a submitted form that another user has saved since the form was opened, with their value. */
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
}

/** Says what is saved instead of what the form has. */
export function Conflict({ what, address, fields }: Props) {
  return (
    <Notice kind="warn">
      <div id="problems" tabindex={-1}>
        <h2>The {what} was changed after you opened this form</h2>
        <p>Your entries differ from what is saved:</p>
        <ul>
          {fields.map(({ label, saved }) => (
            <li>
              {label}: {saved === "" ? "empty" : saved}
            </li>
          ))}
        </ul>
        <p>
          Save again to replace it with your entries, or <a href={address}>start again with what is saved</a>.
        </p>
      </div>
    </Notice>
  );
}
