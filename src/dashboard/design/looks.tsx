import type { PlanLimits } from "../../contract/plans.ts";
import { type Preset, presets } from "../../contract/presets.ts";
import type { LogoUses } from "../../domain/brand/logos.ts";
import type { CodeStyle } from "../../domain/templates/styles.ts";
import { contrast, type Hex } from "../../lib/image/color.ts";
import { Finder } from "../../ui/finder.tsx";
import type { BrandColors } from "./color-chips.tsx";
import { designValues } from "./fields.ts";
import { fillValue } from "./fill.ts";
import type { HtmxAttributes, Rating } from "./score.tsx";

/** A whole design, made from the workspace's colours and logo. */
export interface Look {
  readonly name: string;
  readonly style: CodeStyle;
}

/** The colours, the logos and the plan that looks are made from. */
interface Brand {
  readonly plan: PlanLimits;
  readonly colors: BrandColors;
  readonly logos: readonly LogoUses[];
}

/** How many looks a form offers. */
const offered = 4;

/** Modules need this contrast with white paper: as much as text. */
const leastContrast = 4.5;

/** A colour is a background if the first one has this contrast with it. */
const paperContrast = 7;

const black = "#000000";
const navy = "#1e3a5f";

const soft = { modules: "connected", eyeFrame: "rounded", eyeCenter: "rounded" } as const;
const dotted = { modules: "dots", eyeFrame: "circle", eyeCenter: "circle" } as const;

/** Returns whether a workspace has colours or logos of its own. */
const hasBrand = ({ plan, colors, logos }: Brand): boolean =>
  colors.length > 0 || (plan.fullDesign && logos.some(({ name }) => name !== null));

/**
 * Returns the looks that a form offers: of the workspace's colours and logo, or ready-made ones; the last one is plain.
 * @param logoId the logo to draw; undefined for the brand's first
 */
export function looksOf(brand: Brand, logoId?: string): readonly Look[] {
  const { plan, colors } = brand;
  const logo = logoId ?? brand.logos.find(({ name }) => name !== null)?.id ?? null;
  const plain: Look = { name: "Plain", style: { ...none, colorConfig: { dotsColor: black } } };
  const inks = colors.filter(({ hex }) => contrast(hex as Hex, "#ffffff") >= leastContrast);
  if (!plan.fullDesign) return [...simpleLooks(inks).slice(0, offered - 1), plain];
  if (!hasBrand(brand) && logoId === undefined) {
    return [plain, ...presets.slice(1, offered).map(ofPreset)];
  }
  const look = (
    name: string,
    dotsColor: string,
    shapes: Preset["advanced"],
    backgroundColor?: string,
  ): Look => ({
    name,
    style: {
      ...none,
      colorConfig: { dotsColor, ...(backgroundColor !== undefined && { backgroundColor }) },
      advanced: shapes,
      logoId: logo,
    },
  });
  const first = inks[0]?.hex ?? black;
  const paper = colors.find(({ hex }) => contrast(hex as Hex, first as Hex) >= paperContrast);
  const looks = [
    look("Your brand", first, soft),
    ...inks.slice(1).map(({ hex, name }) => look(name ?? hex, hex, soft)),
    ...(paper === undefined ? [] : [look(`On ${paper.name ?? paper.hex}`, first, soft, paper.hex)]),
    look("Dots", first, dotted),
    look("Square", first, {}),
  ];
  return [...looks.slice(0, offered - 1), plain];
}

const none: CodeStyle = { colorConfig: null, shape: null, advanced: null, logoId: null };

/** The looks of a plan with squares and dots in two colours. */
function simpleLooks(inks: BrandColors): Look[] {
  const [{ hex, name } = { hex: navy, name: "Navy" }, second] = inks;
  const look = (title: string, dotsColor: string, shape: "square" | "circle"): Look => ({
    name: title,
    style: { ...none, colorConfig: { dotsColor }, shape },
  });
  return [
    look(inks.length > 0 ? "Your colour" : "Navy", hex, "square"),
    ...(second === undefined ? [] : [look(second.name ?? second.hex, second.hex, "square")]),
    look(`${name ?? hex}, dots`, hex, "circle"),
    look("Dots", black, "circle"),
  ];
}

/** Returns a ready-made design as a look: all of it, or what a plan has of it. */
export function lookInPlan(preset: Preset, { fullDesign }: PlanLimits): Look {
  if (fullDesign) return ofPreset(preset);
  const { name, colorConfig, advanced } = preset;
  const { dotsColor, backgroundColor } = colorConfig;
  const shape = advanced.modules === "dots" ? "circle" : "square";
  return {
    name,
    style: {
      ...none,
      colorConfig: { dotsColor, ...(backgroundColor !== undefined && { backgroundColor }) },
      shape,
    },
  };
}

const ofPreset = ({ name, colorConfig, advanced }: Preset): Look => ({
  name,
  style: { colorConfig, shape: null, advanced, logoId: null },
});

/** Returns as many looks with this one first. */
export const withLookFirst = (looks: readonly Look[], first: Look): readonly Look[] =>
  [first, ...looks.filter(({ name }) => name !== first.name)].slice(0, looks.length);

/** The fields that make a look; others don't affect looks, or say more about one of these. */
const fields = [
  "colorConfig.dotsColor",
  "colorConfig.backgroundColor",
  "colorConfig.cornerColor",
  "transparent",
  "advanced.modules",
  "advanced.eyeFrame",
  "advanced.eyeCenter",
  "advanced.frame.style",
  "advanced.gradient.type",
  "advanced.eyeGradient.type",
  "advanced.logo.id",
  "advanced.backgroundRadius",
];
const gradientFields = ["advanced.gradient.to", "advanced.gradient.angle"];

/** Returns the fields of a form that has this look. */
export function valuesOfLook({ style }: Look): Record<string, string> {
  const values = designValues(style);
  const names = values["advanced.gradient.type"] === "" ? fields : [...fields, ...gradientFields];
  return Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
}

/** Whether a form shows a look. */
export const showsLook = (form: URLSearchParams, look: Look): boolean =>
  Object.entries(valuesOfLook(look)).every(
    ([name, value]) => (form.get(name) ?? "").toLowerCase() === value.toLowerCase(),
  );

interface Props {
  readonly form: URLSearchParams;
  readonly looks: readonly Look[];
  /** Returns the address of the drawing of a look, by its fields. */
  readonly picture: (values: Readonly<Record<string, string>>) => string;
  /** Returns the request for its score. */
  readonly score: (values: Readonly<Record<string, string>>) => HtmxAttributes;
}

/** Whole designs to choose from, each drawn as this code. Scores are measured one after the other, once they are seen. */
export const Looks = ({ form, looks, picture, score }: Props) => (
  <fieldset class="field looks">
    <legend>Look</legend>
    <div class="tiles" hx-sync="this:queue all">
      {looks.map((look) => {
        const values = valuesOfLook(look);
        return (
          <button
            class="tile preset look"
            type="submit"
            name="change"
            value={fillValue(values)}
            aria-pressed={showsLook(form, look) ? "true" : "false"}
          >
            <img src={picture(values)} alt="" width="96" height="96" />
            <span>{look.name}</span>
            <span class="quiet needs-scripts" hx-trigger="revealed" hx-target="this" {...score(values)}>
              Measuring
            </span>
            <Finder />
          </button>
        );
      })}
    </div>
  </fieldset>
);

/** The response to a request for the score of a look. */
export function LookScore({ rating, again }: { rating: Rating; again: HtmxAttributes }) {
  switch (rating.kind) {
    case "measured":
      return <>{rating.measured.score} of 100</>;
    case "refused":
      return <>Can't be scanned</>;
    case "unavailable":
      return <>Not measured</>;
    default:
      return (
        <span hx-trigger="load delay:15s" hx-target="this" {...again}>
          Measured soon
        </span>
      );
  }
}
