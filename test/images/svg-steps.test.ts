import { expect, it } from "vitest";
import { convertSvg } from "../../src/images/svg/convert-svg.ts";
import { LogoProblem, Work } from "../../src/images/svg/work.ts";
import { svg } from "../support/images/logos.ts";

const style = (text: string) => `<style>${text}</style><path class="a" d="M0 0h9v9z"/>`;
const paints = ["fill", "stroke", "color", "stop-color", "clip-path", "filter", "mask", "style", "class"];
const lengths = [
  "x",
  "y",
  "width",
  "height",
  "rx",
  "stroke-width",
  "opacity",
  "preserveAspectRatio",
  "href",
  "id",
];

/** The repeated text, and the contents of an SVG with it. */
const texts: readonly [string, (text: string) => string, string][] = [
  ...[...paints, ...lengths].flatMap((name): [string, (text: string) => string, string][] =>
    ["a ", "1e1", "url(#a", "((", ";:", "/*"].map((repeated) => [
      `${name} of ${repeated}`,
      (text) => `<rect ${name}="${text}"/>`,
      repeated,
    ]),
  ),
  ...["a", "scale(1 1) ", "(", "1 ", ", "].map((repeated): [string, (text: string) => string, string] => [
    `transform of ${repeated}`,
    (text) => `<g transform="${text}"/>`,
    repeated,
  ]),
  ...["h0", "1 1", "a1 1 0 0 1 0 0", "1e", "-.1", "zm1 1"].map(
    (repeated): [string, (text: string) => string, string] => [
      `d of ${repeated}`,
      (text) => `<path d="M0 0${text}"/>`,
      repeated,
    ],
  ),
  ["points", (text) => `<polygon points="${text}"/>`, "1,1 "],
  [
    "offset",
    (text) =>
      `<linearGradient id="g"><stop offset="${text}"/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>`,
    "1%",
  ],
  ...["{", "}", ".a{fill:red}", ".a,", "/*", "a{b:", "@media{", "'", '"', "(", ".a{fill:red;fill:"].map(
    (repeated): [string, (text: string) => string, string] => [`style of ${repeated}`, style, repeated],
  ),
  ["tags", (text) => text, "<g/>"],
  ["open tags", (text) => text, "<g>"],
  ["comments", (text) => text, "<!-- -->"],
  ["references", (text) => `<title>${text}</title>`, "&amp;"],
  ["classes and rules", (text) => `<style>.a{fill:red;stroke:red}</style>${text}`, '<g class="a a b"/>'],
];

/** The steps of reading an SVG. */
function stepsOf(contents: string): number {
  const bytes = svg(contents);
  const work = new Work(bytes.length);
  try {
    convertSvg(bytes, work);
  } catch (error) {
    if (!(error instanceof LogoProblem)) throw error;
  }
  return work.steps;
}

it.each(texts)("reading %s takes steps in proportion to its length", (_, contentsOf, repeated) => {
  const contents = (length: number) => contentsOf(repeated.repeat(Math.ceil(length / repeated.length)));
  const [short, long] = [stepsOf(contents(1500)), stepsOf(contents(12_000))];
  expect(long).toBeLessThanOrEqual(short * 9);
});
