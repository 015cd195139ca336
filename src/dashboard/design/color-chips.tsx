import type { Brand } from "../../contract/resources/images/brand.ts";
import { fillValue } from "./fill.ts";

interface Props {
  /** The name of the field. */
  readonly name: string;
  readonly label: string;
  readonly colors: BrandColors;
}

/** The workspace's colours. */
export type BrandColors = Brand["colors"];

/** The workspace's colours, one click each. */
export const ColorChips = ({ name, label, colors }: Props) =>
  colors.length === 0 ? null : (
    <span class="color-chips">
      {colors.map(({ hex, name: words }) => (
        <button
          type="submit"
          name="change"
          value={fillValue({ [name]: hex, ...(name.endsWith("backgroundColor") && { transparent: "" }) })}
          aria-label={`${label}: ${words ?? hex}`}
          data-tip={words ?? hex}
        >
          <svg viewBox="0 0 1 1" width="20" height="20" aria-hidden="true">
            <rect width="1" height="1" fill={hex} />
          </svg>
        </button>
      ))}
    </span>
  );
