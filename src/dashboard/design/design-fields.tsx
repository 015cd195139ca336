import type { PlanLimits } from "../../contract/plans.ts";
import { Select } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import { ColorFields } from "./color-fields.tsx";
import { defaultColors, designLabels } from "./colors.ts";

/** Shape and colours, of a code or a template. */
export function DesignFields({ form, plan }: { form: FormState; plan: PlanLimits }) {
  return (
    <>
      <Select
        form={form}
        name="shape"
        label={designLabels.shape}
        choices={[
          ["", "Standard"],
          ["square", "Squares"],
          ["circle", "Dots"],
        ]}
      />
      <ColorFields form={form} plan={plan} />
    </>
  );
}

/** Whether the form differs from a design that sets none, or has a problem there. */
export function isDesigned({ values, problems }: FormState): boolean {
  const others = ["shape", "transparent", "ownCorners"];
  return (
    others.some((name) => (values.get(name) ?? "") !== "") ||
    Object.entries(defaultColors).some(([name, color]) => (values.get(name) ?? color) !== color) ||
    Object.keys(problems).some((name) => name.startsWith("colorConfig") || others.includes(name))
  );
}
