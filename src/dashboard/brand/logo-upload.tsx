import { limits } from "../../contract/limits.ts";
import { Dropzone } from "../../ui/forms/dropzone.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { logoField, logoLabel } from "./upload.ts";

/** The field for the file of a logo. */
export const LogoUpload = ({ form, maxBytes }: { form: FormState; maxBytes: number }) => (
  <Dropzone
    form={form}
    name={logoField}
    label="Drop a logo here or choose one"
    subject={logoLabel}
    hint={`SVG, PNG of at most ${limits.logo.side} pixels a side, or JPEG. At most ${maxBytes / 1024} KiB.`}
    accept="image/png,image/jpeg,image/svg+xml,.png,.jpg,.jpeg,.svg"
  />
);
