import { limits } from "../../contract/limits.ts";
import { controlAttributes, Field } from "../components/field.tsx";
import type { FormState } from "../components/form.ts";
import { logoField, logoLabel } from "./upload.ts";

const { bytes, side } = limits.logo;

const hint = `A PNG of at most ${side} pixels a side, or an SVG; at most ${bytes / 1024} KiB. Codes with an SVG logo can be downloaded as SVG, not as PNG.`;

/** The field for the file of a logo. */
export function LogoUpload({ form, required }: { form: FormState; required?: true }) {
  const props = { form, name: logoField, label: logoLabel, hint, required };
  const control = (
    <input
      class="entry file"
      type="file"
      accept="image/png,image/svg+xml,.png,.svg"
      {...controlAttributes(props)}
    />
  );
  return <Field {...props} control={control} />;
}
