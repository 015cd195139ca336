import type { Child, PropsWithChildren } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import type { PlanLimits } from "../../contract/plans.ts";
import type { LogoUses } from "../../domain/brand/logos.ts";
import { ColorField, TextField } from "../../ui/forms/field.tsx";
import { type FormState, problemOf } from "../../ui/forms/form.ts";
import { Tiles } from "../../ui/forms/tiles.tsx";
import { Notice } from "../../ui/notice.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { PageScript } from "../page-scripts/page-scripts.tsx";
import type { BrandColors } from "./color-chips.tsx";
import { ColorFields } from "./color-fields.tsx";
import { designLabels } from "./fields.ts";
import { offeredTexts } from "./fill.ts";
import { LogoTiles } from "./logo-tiles.tsx";
import { eyeTiles, frameTiles, moduleTiles } from "./part-tiles.tsx";
import { GradientPicture } from "./pictures.tsx";
import { Presets } from "./presets.tsx";
import { designStates } from "./states.ts";

interface Props {
  readonly form: FormState;
  readonly plan: PlanLimits;
  readonly upgradeUrl: string;
  /** The workspace's logos, newest first. */
  readonly logos: readonly LogoUses[];
  /** The workspace's colours. */
  readonly colors: BrandColors;
  /** Whether the form offers whole looks already. */
  readonly hasLooks?: boolean;
  /** Additions to the logo's options, such as a field for its file. */
  readonly children?: Child;
}

/** The fields of a code's or template's design. The preview beside the form follows them. */
export function Designer({ form, plan, upgradeUrl, logos, colors, hasLooks = false, children }: Props) {
  const chosen = (name: string) => form.values.get(name) ?? "";
  const row = (name: keyof typeof designLabels) => ({
    name,
    label: designLabels[name],
    chosen: chosen(name),
    form,
  });
  return (
    <div class="designer">
      <PageScript name="designer.js" />
      {plan.fullDesign && <Presets isOpen={!hasLooks} />}
      <Tiles
        {...row("advanced.modules")}
        isRow
        tiles={moduleTiles(plan.fullDesign, chosen("advanced.modules"))}
      />
      {plan.fullDesign ? (
        <>
          <Tiles
            {...row("advanced.eyeFrame")}
            isRow
            hint="The decoders that we test with read these; some simple scanners need square or rounded eyes."
            tiles={eyeTiles("frame")}
          />
          <Tiles {...row("advanced.eyeCenter")} isRow tiles={eyeTiles("center")} />
          <Frame form={form} row={row("advanced.frame.style")} />
        </>
      ) : (
        <Notice kind="info">
          <p>
            Your {plan.title} plan has squares and dots in two colours. Other modules, eyes, frames,
            gradients, logos and templates come with larger plans. <UpgradeLink url={upgradeUrl} />
          </p>
        </Notice>
      )}
      <fieldset class="field row" id="colors">
        <legend>Colours</legend>
        <ColorFields form={form} plan={plan} colors={colors} />
      </fieldset>
      {plan.fullDesign && (
        <>
          <LogoTiles form={form} logos={logos}>
            {children}
          </LogoTiles>
          <Part
            title="Gradient"
            state="gradient"
            names={["advanced.gradient", "advanced.eyeGradient"]}
            form={form}
          >
            <GradientFields form={form} name="gradient" row={row("advanced.gradient.type")} />
            <GradientFields form={form} name="eyeGradient" row={row("advanced.eyeGradient.type")} />
          </Part>
        </>
      )}
      <Part
        title="Space and error correction"
        state="reading"
        names={["advanced.backgroundRadius", "advanced.quietZone", "advanced.ecc", "advanced.compact"]}
        form={form}
      >
        <Reading form={form} plan={plan} row={row} />
      </Part>
    </div>
  );
}

type Row = Pick<Parameters<typeof Tiles>[0], "name" | "label" | "chosen" | "form">;

function Frame({ form, row }: { form: FormState; row: Row }) {
  return (
    <div class="with-options">
      <Tiles {...row} isRow tiles={frameTiles()} />
      <div class="suboptions pair">
        <TextField
          form={form}
          name="advanced.frame.text"
          label={designLabels["advanced.frame.text"]}
          maxLength={limits.design.frameText}
          data={{ "data-offered": offeredTexts.join("|") }}
        />
        <ColorField
          form={form}
          name="advanced.frame.color"
          label={designLabels["advanced.frame.color"]}
          otherwise={form.values.get("colorConfig.dotsColor") || "#000000"}
          placeholder="As the modules"
        />
        <ColorField
          form={form}
          name="advanced.frame.textColor"
          label={designLabels["advanced.frame.textColor"]}
          otherwise="#ffffff"
          placeholder="What reads best"
        />
      </div>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  /** The summary of its fields. */
  readonly state: keyof typeof designStates;
  /** The names of its fields, or their prefixes. */
  readonly names: readonly string[];
  readonly form: FormState;
}

/** Rarely needed fields. Open if one of them has a problem. */
const Part = ({ title, state, names, form, children }: PropsWithChildren<PartProps>) => (
  <details class="more" open={names.some((name) => problemOf(form, name) !== undefined)}>
    <summary>
      {title}{" "}
      <span class="quiet" id={`${state}-state`}>
        {designStates[state](form.values)}
      </span>
    </summary>
    <div>{children}</div>
  </details>
);

const gradients = [
  ["", "None"],
  ["linear", "Linear"],
  ["radial", "Radial"],
] as const;

function GradientFields({
  form,
  name,
  row,
}: {
  form: FormState;
  name: "gradient" | "eyeGradient";
  row: Row;
}) {
  const to = `advanced.${name}.to` as const;
  const angle = `advanced.${name}.angle` as const;
  return (
    <div class="with-options">
      <Tiles
        {...row}
        label={name === "gradient" ? "Modules" : "Eyes"}
        isRow
        tiles={gradients.map(([value, text]) => ({ value, text, picture: <GradientPicture type={value} /> }))}
      />
      <div class="suboptions pair">
        <ColorField form={form} name={to} label={designLabels[to]} required />
        <TextField
          form={form}
          name={angle}
          label={designLabels[angle]}
          hint="Degrees: 0 runs from left to right, 90 from top to bottom."
          inputMode="decimal"
        />
      </div>
    </div>
  );
}

const levels = [
  ["", "Best fit"],
  ["L", "L, 7 %"],
  ["M", "M, 15 %"],
  ["Q", "Q, 25 %"],
  ["H", "H, 30 %"],
] as const;

const addresses = [
  ["", "As it is"],
  ["on", "Upper case"],
] as const;

interface ReadingProps {
  readonly form: FormState;
  readonly plan: PlanLimits;
  readonly row: (name: keyof typeof designLabels) => Row;
}

/** The options that make a code easier or harder to read. */
const Reading = ({ form, plan, row }: ReadingProps) => (
  <>
    <div class="pair">
      <TextField
        form={form}
        name="advanced.quietZone"
        label={designLabels["advanced.quietZone"]}
        hint={`Empty modules around the code; ${limits.image.margin.default} if empty, which scanners need.`}
        inputMode="decimal"
      />
      {plan.fullDesign && (
        <TextField
          form={form}
          name="advanced.backgroundRadius"
          label={designLabels["advanced.backgroundRadius"]}
          hint={`Of the background, in modules, up to ${limits.design.backgroundRadius}.`}
          inputMode="decimal"
        />
      )}
    </div>
    <Tiles {...row("advanced.ecc")} tiles={levels.map(([value, text]) => ({ value, text }))} />
    <p class="hint row-note">
      The share of the code that may be damaged. The best fit is the highest level that makes the code no
      larger.
    </p>
    <Tiles {...row("advanced.compact")} tiles={addresses.map(([value, text]) => ({ value, text }))} />
    <p class="hint row-note">
      In upper case but for https, the address makes a smaller code that leads to the same place.
    </p>
  </>
);
