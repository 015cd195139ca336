import type { Child } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import type { LogoUses } from "../../domain/brand/logos.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { type FormState, problemOf } from "../../ui/forms/form.ts";
import { Tiles } from "../../ui/forms/tiles.tsx";
import { logoAddress } from "../brand/addresses.ts";
import { designLabels } from "./fields.ts";

/** How many logos the form offers, the brand's first. */
const offered = 50;

interface Props {
  readonly form: FormState;
  readonly logos: readonly LogoUses[];
  readonly children?: Child;
}

const name = "advanced.logo.id";
const placing = ["advanced.logo.size", "advanced.logo.padding", "advanced.logo.cutout"] as const;

const cutouts = [
  ["square", "Square"],
  ["circle", "Circle"],
  ["none", "None"],
] as const;

/** The logo of a design, and its placement. Always includes the chosen one. */
export function LogoTiles({ form, logos, children }: Props) {
  const chosen = form.values.get(name) ?? "";
  const shown = logoTiles(logos, chosen);
  const { min, max } = limits.design.logoSize;
  return (
    <div class="with-options">
      {shown.length === 0 ? (
        <fieldset class="field row" id={name}>
          <legend>{designLabels[name]}</legend>
          <div class="beside-legend">{children}</div>
        </fieldset>
      ) : (
        <Tiles
          form={form}
          name={name}
          label={designLabels[name]}
          chosen={chosen}
          isRow
          tiles={[noLogo(), ...shown]}
        />
      )}
      {shown.length > 0 && <div class="beside-legend">{children}</div>}
      <details class="more suboptions" open={placing.some((field) => problemOf(form, field) !== undefined)}>
        <summary>
          Place of the logo <span class="quiet">{placeState(form)}</span>
        </summary>
        <div>
          <div class="pair">
            <TextField
              form={form}
              name={placing[0]}
              label={designLabels[placing[0]]}
              hint={`In percent of the code's width, ${min * 100} to ${max * 100}; as large as is safe if empty.`}
              inputMode="decimal"
            />
            <TextField
              form={form}
              name={placing[1]}
              label={designLabels[placing[1]]}
              hint={`In modules, up to ${limits.design.logoPadding}; 1 if empty.`}
              inputMode="decimal"
            />
          </div>
          <Tiles
            form={form}
            name={placing[2]}
            label={designLabels[placing[2]]}
            chosen={form.values.get(placing[2]) ?? ""}
            tiles={cutouts.map(([value, text]) => ({ value, text }))}
          />
        </div>
      </details>
    </div>
  );
}

/** The logos to choose from, and always the chosen one. */
export const logoTiles = (logos: readonly LogoUses[], chosen: string) =>
  logos
    .filter(({ id }, i) => i < offered || id === chosen)
    .map((logo, i) => ({
      value: logo.id,
      text: nameOf(logo, i),
      picture: (
        <span class="logo">
          <img src={logoAddress(logo)} alt="" width="40" height="40" loading="lazy" />
        </span>
      ),
    }));

/** The choice of no logo. @param value in the form */
export const noLogo = (value = "") => ({ value, text: "None", picture: <span class="logo none" /> });

function placeState({ values }: FormState): string {
  const [size, cutout] = [values.get(placing[0]) ?? "", values.get(placing[2]) ?? ""];
  const width = size === "" ? "As large as is safe" : `${size} % of the width`;
  return cutout === "circle"
    ? `${width}, in a circle`
    : cutout === "none"
      ? `${width}, over the modules`
      : width;
}

/** Returns a label for a logo, which may have no name. */
const nameOf = ({ name: own, templates: [first] }: LogoUses, i: number): string =>
  own ?? first?.name ?? `Logo ${i + 1}`;
