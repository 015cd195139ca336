import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { LogoUses } from "../../domain/brand/logos.ts";
import { maxLogoBytes } from "../../domain/logos/files.ts";
import { DefaultSubmit } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { LogoUpload } from "../brand/logo-upload.tsx";
import { logoField, logoLabel } from "../brand/upload.ts";
import type { BrandColors } from "../design/color-chips.tsx";
import { Designer } from "../design/designer.tsx";
import { designLabels } from "../design/fields.ts";
import { Preview, type PreviewState } from "../design/preview.tsx";
import { ProofOfDesign } from "../design/proof-strip.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { templateRequests } from "./preview.tsx";

const labels = { name: "Name", [logoField]: logoLabel, ...designLabels } as const;

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly logos: readonly LogoUses[];
  /** The workspace's colours. */
  readonly colors: BrandColors;
  readonly preview: PreviewState;
  /** The id of the template that is edited; undefined for a new one. */
  readonly id: string | undefined;
}

/** The form of a template, new or not. It is submitted to its own address. */
export function TemplateForm({ request, form, logos, colors, preview, id }: Props) {
  const { context, deps } = request;
  const requests = templateRequests(id);
  return (
    <PostForm class="beside-preview" enctype="multipart/form-data" novalidate data-draft="redraw">
      <DefaultSubmit />
      <div>
        <Problems form={form} labels={labels} />
        <TextField form={form} name="name" label={labels.name} required maxLength={limits.templateName} />
        <section id="design" aria-labelledby="advanced">
          <div class="design-head">
            <h2 id="advanced">Design</h2>
          </div>
          <Designer
            form={form}
            plan={plans[context.plan]}
            upgradeUrl={deps.settings.upgradeUrl}
            logos={logos}
            colors={colors}
          >
            <LogoUpload form={form} maxBytes={maxLogoBytes(deps)} />
          </Designer>
        </section>
        <ProofOfDesign request={requests.proof} />
      </div>
      <Preview state={preview} note="Sample code" requests={requests}>
        <button class="button primary" type="submit">
          {id === undefined ? "Create template" : "Save changes"}
        </button>
        <a class="button plain" href="/dashboard/templates">
          Cancel
        </a>
      </Preview>
    </PostForm>
  );
}
