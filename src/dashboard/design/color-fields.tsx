import type { PlanLimits } from "../../contract/plans.ts";
import { Checkbox, ColorField } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import { defaultColors, designLabels } from "./colors.ts";

/** The colours of a design. A form that has none yet shows the defaults. */
export function ColorFields({ form, plan }: { form: FormState; plan: PlanLimits }) {
  const defaults = {
    ...defaultColors,
    "colorConfig.cornerColor": form.values.get("colorConfig.dotsColor") ?? "#000000",
  };
  const missing = Object.entries(defaults).filter(([name]) => !form.values.has(name));
  const shown: FormState = { ...form, values: new URLSearchParams([...form.values, ...missing]) };
  const color = (name: "dotsColor" | "backgroundColor" | "cornerColor") => (
    <ColorField
      form={shown}
      name={`colorConfig.${name}`}
      label={designLabels[`colorConfig.${name}`]}
      required
    />
  );
  return (
    <div class="pair colors">
      {color("dotsColor")}
      <div class="option-under">
        {color("backgroundColor")}
        <Checkbox form={form} name="transparent" label="Transparent background" />
      </div>
      {plan.fullDesign && (
        <div class="option-under">
          {color("cornerColor")}
          <Checkbox form={form} name="ownCorners" label="Differs from the code" />
        </div>
      )}
    </div>
  );
}
