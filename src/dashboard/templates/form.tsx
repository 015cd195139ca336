import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { LogoUses } from "../../domain/brand/logos.ts";
import { logoAddress } from "../brand/addresses.ts";
import { LogoUpload } from "../brand/logo-upload.tsx";
import { logoField, logoLabel } from "../brand/upload.ts";
import { TextField } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import { Problems } from "../components/forms/problems.tsx";
import { designLabels } from "../design/colors.ts";
import { DesignFields } from "../design/design-fields.tsx";
import { Preview, type PreviewState } from "../design/preview.tsx";
import type { DashboardRequest } from "../frame/request.ts";

const labels = { name: "Name", ...designLabels, [logoField]: logoLabel } as const;

/** Logos that the form offers: those of the brand, the oldest first. */
const offered = 50;

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly logos: readonly LogoUses[];
  readonly preview: PreviewState;
  readonly isNew: boolean;
}

/** The form of a template, new or not. It is submitted to its own address. */
export function TemplateForm({ request, form, logos, preview, isNew }: Props) {
  return (
    <form class="beside-preview" method="post" enctype="multipart/form-data" novalidate>
      <div>
        <Problems form={form} labels={labels} />
        <TextField form={form} name="name" label={labels.name} required maxLength={limits.templateName} />
        <div id="design">
          <section aria-labelledby="design-title">
            <h2 id="design-title">Colours and shape</h2>
            <DesignFields form={form} plan={plans[request.context.plan]} />
          </section>
          <section aria-labelledby="logo-title">
            <h2 id="logo-title">Logo</h2>
            {logos.length > 0 && <LogoChoice chosen={form.values.get("logoId") ?? ""} logos={logos} />}
            <LogoUpload form={form} />
          </section>
        </div>
      </div>
      <Preview
        state={preview}
        note="A sample: it can't be scanned."
        request={{
          "hx-post": "/dashboard/templates/preview",
          "hx-encoding": "multipart/form-data",
          "hx-include": "#design",
        }}
      >
        <button class="button primary" type="submit">
          {isNew ? "Create template" : "Save changes"}
        </button>
        <a class="button plain" href="/dashboard/templates">
          Cancel
        </a>
      </Preview>
    </form>
  );
}

/** The logos of the workspace as a choice. The chosen one is always among them. */
function LogoChoice({ chosen, logos }: { chosen: string; logos: readonly LogoUses[] }) {
  const shown = logos.filter(({ id }, i) => i < offered || id === chosen);
  return (
    <fieldset class="field">
      <legend class="visually-hidden">Logo</legend>
      <div class="logo-choice">
        <label>
          <input type="radio" name="logoId" value="" checked={chosen === ""} />
          <span class="logo none">None</span>
        </label>
        {shown.map((logo, i) => (
          <label>
            <input type="radio" name="logoId" value={logo.id} checked={logo.id === chosen} />
            <span class="logo">
              <img src={logoAddress(logo)} alt={nameOf(logo, i)} width="56" height="56" loading="lazy" />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A label for a logo, which may have no name of its own. */
const nameOf = ({ name, templates: [first] }: LogoUses, i: number): string =>
  name ?? (first === undefined ? `Logo ${i + 1}` : `Logo ${i + 1}, of ${first.name}`);
