import { limits } from "../../contract/limits.ts";
import { controlAttributes, Field } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import { logoField, logoLabel } from "./upload.ts";

const { bytes, side } = limits.logo;

const limitsText = `A PNG of at most ${side} pixels a side, a JPEG or an SVG; at most ${bytes / 1024} KiB.`;

interface Props {
  readonly form: FormState;
  readonly required?: true;
  /** Words before the limits. */
  readonly hint?: string;
}

/** The field for the file of a logo. */
export function LogoUpload({ form, required, hint = "" }: Props) {
  const props = { form, name: logoField, label: logoLabel, hint: `${hint}${limitsText}`, required };
  const control = (
    <input
      class="entry file"
      type="file"
      accept="image/png,image/jpeg,image/svg+xml,.png,.jpg,.jpeg,.svg"
      {...controlAttributes(props)}
    />
  );
  return <Field {...props} control={control} />;
}
