import type { PlanLimits } from "../../contract/plans.ts";
import type { FormState } from "../components/forms/form.ts";
import { Tiles } from "../components/forms/tiles.tsx";
import { ColorFields } from "./color-fields.tsx";
import { designLabels } from "./colors.ts";

interface Props {
  readonly form: FormState;
  readonly plan: PlanLimits;
  /** Whether a template may give the shape, so that squares differ from no choice. */
  readonly hasTemplates?: boolean;
}

/** Shape and colours, of a code or a template. */
export function DesignFields({ form, plan, hasTemplates = false }: Props) {
  const shape = form.values.get("shape") ?? "";
  const choices =
    hasTemplates || shape === "square"
      ? ([
          ["", "Standard"],
          ["square", "Squares"],
          ["circle", "Dots"],
        ] as const)
      : ([
          ["", "Squares"],
          ["circle", "Dots"],
        ] as const);
  return (
    <>
      <Tiles
        name="shape"
        label={designLabels.shape}
        chosen={shape}
        tiles={choices.map(([value, text]) => ({
          value,
          text,
          picture: <ShapeSample isRound={value === "circle"} />,
        }))}
      />
      <ColorFields form={form} plan={plan} />
    </>
  );
}

/** Rows of a corner of a code. */
const sample = ["1110100", "1010011", "1110101", "0001110", "1101010", "0110111", "0011001"];

/** A few modules of this shape. */
const ShapeSample = ({ isRound }: { isRound: boolean }) => {
  const module = (x: number, y: number) =>
    isRound ? `M${x} ${y + 0.5}a.5.5 0 1 1 1 0a.5.5 0 1 1-1 0z` : `M${x} ${y}h1v1h-1z`;
  const path = sample.flatMap((row, y) => [...row].map((lit, x) => (lit === "1" ? module(x, y) : "")));
  return (
    <svg viewBox="0 0 7 7" width="35" height="35" aria-hidden="true">
      <path fill="currentColor" d={path.join("")} />
    </svg>
  );
};
