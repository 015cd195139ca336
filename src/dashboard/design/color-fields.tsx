import type { PlanLimits } from "../../contract/plans.ts";
import { Checkbox, ColorField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { type BrandColors, ColorChips } from "./color-chips.tsx";

interface Props {
  readonly form: FormState;
  readonly plan: PlanLimits;
  /** The workspace's colours. */
  readonly colors?: BrandColors;
}

/** The colours of a design. Eyes without one of their own have that of the modules. */
export function ColorFields({ form, plan, colors = [] }: Props) {
  const dots = form.values.get("colorConfig.dotsColor") || "#000000";
  const chips = (name: string, label: string) => <ColorChips name={name} label={label} colors={colors} />;
  return (
    <div class="pair colors">
      <ColorField form={form} name="colorConfig.dotsColor" label="Modules" required>
        {chips("colorConfig.dotsColor", "Modules")}
      </ColorField>
      {plan.fullDesign && (
        <ColorField
          form={form}
          name="colorConfig.cornerColor"
          label="Eyes"
          otherwise={dots}
          placeholder="As the modules"
        >
          {chips("colorConfig.cornerColor", "Eyes")}
        </ColorField>
      )}
      <div class="option-under">
        <ColorField
          form={form}
          name="colorConfig.backgroundColor"
          label="Background"
          otherwise="#ffffff"
          required
        >
          {chips("colorConfig.backgroundColor", "Background")}
        </ColorField>
        <Checkbox form={form} name="transparent" label="Transparent" />
      </div>
    </div>
  );
}
