import type { PlanLimits } from "../../contract/plans.ts";
import { Checkbox, ColorField, Select } from "../components/field.tsx";
import type { FormState } from "../components/form.ts";
import { commonLabels, defaultColors } from "./form-fields.ts";

interface Props {
  readonly form: FormState;
  readonly plan: PlanLimits;
  readonly templates: readonly (readonly [id: string, name: string])[];
}

/** How the code looks. The preview beside the form follows these fields. */
export function DesignFields({ form, plan, templates }: Props) {
  const colors = new URLSearchParams({
    ...defaultColors,
    "colorConfig.cornerColor": form.values.get("colorConfig.dotsColor") ?? "#000000",
  });
  const shown: FormState = {
    ...form,
    values: new URLSearchParams([...form.values, ...withoutKnown(colors, form)]),
  };
  return (
    <details class="more" id="design" open={isDesigned(form)}>
      <summary>
        Design <span class="quiet">colours and shape</span>
      </summary>
      <div>
        {plan.fullDesign && templates.length > 0 && (
          <Select
            form={shown}
            name="templateId"
            label={commonLabels.templateId}
            hint="Its colours, shape and logo are applied when you save."
            choices={[["", "None"], ...templates]}
          />
        )}
        <Select
          form={shown}
          name="shape"
          label={commonLabels.shape}
          choices={[
            ["", "Standard"],
            ["square", "Squares"],
            ["circle", "Dots"],
          ]}
        />
        <div class="pair">
          <ColorField
            form={shown}
            name="colorConfig.dotsColor"
            label={commonLabels["colorConfig.dotsColor"]}
            required
          />
          <div class="option-under">
            <ColorField
              form={shown}
              name="colorConfig.backgroundColor"
              label={commonLabels["colorConfig.backgroundColor"]}
              required
            />
            <Checkbox form={shown} name="transparent" label="Transparent, for light paper" />
          </div>
          {plan.fullDesign && (
            <div class="option-under">
              <ColorField
                form={shown}
                name="colorConfig.cornerColor"
                label={commonLabels["colorConfig.cornerColor"]}
                required
              />
              <Checkbox form={shown} name="ownCorners" label="Differs from the code" />
            </div>
          )}
        </div>
      </div>
    </details>
  );
}

const withoutKnown = (colors: URLSearchParams, { values }: FormState) =>
  [...colors].filter(([name]) => !values.has(name));

/** Whether the form differs from the design of a code that sets none, or has a problem there. */
function isDesigned({ values, problems }: FormState): boolean {
  const others = ["templateId", "shape", "transparent", "ownCorners"];
  return (
    others.some((name) => (values.get(name) ?? "") !== "") ||
    Object.entries(defaultColors).some(([name, color]) => (values.get(name) ?? color) !== color) ||
    Object.keys(problems).some((name) => name.startsWith("colorConfig") || others.includes(name))
  );
}
