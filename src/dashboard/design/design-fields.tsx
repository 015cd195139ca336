import type { PlanLimits } from "../../contract/plans.ts";
import { Checkbox, ColorField, Select } from "../components/field.tsx";
import type { FormState } from "../components/form.ts";
import { defaultColors, designLabels } from "./colors.ts";

/** Shape and colours, of a code or a template. */
export function DesignFields({ form, plan }: { form: FormState; plan: PlanLimits }) {
  const colors = new URLSearchParams({
    ...defaultColors,
    "colorConfig.cornerColor": form.values.get("colorConfig.dotsColor") ?? "#000000",
  });
  const shown: FormState = {
    ...form,
    values: new URLSearchParams([...form.values, ...withoutKnown(colors, form)]),
  };
  return (
    <>
      <Select
        form={shown}
        name="shape"
        label={designLabels.shape}
        choices={[
          ["", "Standard"],
          ["square", "Squares"],
          ["circle", "Dots"],
        ]}
      />
      <div class="pair colors">
        <ColorField
          form={shown}
          name="colorConfig.dotsColor"
          label={designLabels["colorConfig.dotsColor"]}
          required
        />
        <div class="option-under">
          <ColorField
            form={shown}
            name="colorConfig.backgroundColor"
            label={designLabels["colorConfig.backgroundColor"]}
            required
          />
          <Checkbox form={shown} name="transparent" label="Transparent, for light paper" />
        </div>
        {plan.fullDesign && (
          <div class="option-under">
            <ColorField
              form={shown}
              name="colorConfig.cornerColor"
              label={designLabels["colorConfig.cornerColor"]}
              required
            />
            <Checkbox form={shown} name="ownCorners" label="Differs from the code" />
          </div>
        )}
      </div>
    </>
  );
}

const withoutKnown = (colors: URLSearchParams, { values }: FormState) =>
  [...colors].filter(([name]) => !values.has(name));

/** Whether the form differs from a design that sets none, or has a problem there. */
export function isDesigned({ values, problems }: FormState): boolean {
  const others = ["shape", "transparent", "ownCorners"];
  return (
    others.some((name) => (values.get(name) ?? "") !== "") ||
    Object.entries(defaultColors).some(([name, color]) => (values.get(name) ?? color) !== color) ||
    Object.keys(problems).some((name) => name.startsWith("colorConfig") || others.includes(name))
  );
}
