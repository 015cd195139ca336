import type { QrCreateInput } from "../../../src/contract/resources/codes/qr.ts";
import { Advanced } from "../../../src/contract/resources/images/design.ts";
import type { SeededRandom } from "../runner/seeded-random.ts";

/** The values of properties whose schemas list them. */
export const valuesOf = {
  modules: Advanced.shape.modules.unwrap().options,
  eyeFrame: Advanced.shape.eyeFrame.unwrap().options,
  eyeCenter: Advanced.shape.eyeCenter.unwrap().options,
  ecc: Advanced.shape.ecc.unwrap().options,
};

/** Inks that have a contrast of at least 3:1 with each of the lights. */
const darks = [
  ...["black", "#0f172a", "navy", "maroon", "#063", "#404040", "#603", "#7b1fa2", "#0b3d91", "#a3123a"],
  ...["#767676", "#c2410c", "#0369a1", "#15803d", "#be185d"],
];
const lights = ["white", "#ffe", "#eef", "#fde68a", "lightcyan", "transparent"];
const texts = [
  "Scan me",
  "SCAN ME",
  "Zum Menü",
  "¿Qué hay hoy?",
  "Σκανάρετε με",
  "Отсканируй меня",
  "Quét tôi ở đây",
  "A",
  "x".repeat(40),
  "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
  "<&>\"'",
];

/** Returns a random design over all options that phones must be able to read. @param logoIds logos of the workspace */
export function someDesign(
  random: SeededRandom,
  logoIds: readonly string[],
): Pick<QrCreateInput, "colorConfig" | "shape" | "advanced"> {
  const maybe = <T>(make: () => T): T | undefined => (random.below(2) === 0 ? make() : undefined);
  const gradient = () => ({
    type: random.pick(["linear", "radial"] as const),
    to: random.pick(darks),
    angle: random.below(360),
  });
  const frame = () => {
    const color = random.pick(darks);
    const style = random.pick(["line", "label", "solid", "round"] as const);
    return {
      style,
      text: maybe(() => random.pick(texts)),
      ...(style !== "line" && { color, textColor: "white" }),
    };
  };
  const logo = () => ({
    id: random.pick(logoIds),
    size: maybe(() => 0.1 + random.below(31) / 100),
    padding: random.below(9) / 2,
    cutout: random.pick(["square", "circle", "none"] as const),
  });
  const advanced = {
    modules: maybe(() => random.pick(valuesOf.modules)),
    eyeFrame: maybe(() => random.pick(valuesOf.eyeFrame)),
    eyeCenter: maybe(() => random.pick(valuesOf.eyeCenter)),
    gradient: maybe(gradient),
    eyeGradient: maybe(gradient),
    backgroundRadius: maybe(() => random.below(25) / 2),
    logo: logoIds.length > 0 ? maybe(logo) : undefined,
    frame: maybe(frame),
    quietZone: maybe(() => random.pick([0, 1, 2, 3, 4, 6, 10])),
    ecc: maybe(() => random.pick(valuesOf.ecc)),
    compact: maybe(() => true),
  };
  return {
    shape: random.pick(["square", "circle"]),
    colorConfig: {
      dotsColor: random.pick(darks),
      backgroundColor: random.pick(lights),
      ...maybe(() => ({ cornerColor: random.pick(darks) })),
    },
    // Removes undefined properties, as a request would.
    advanced: JSON.parse(JSON.stringify(advanced)) as Advanced,
  };
}
