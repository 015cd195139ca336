import { colord, extend } from "colord";
import a11yPlugin from "colord/plugins/a11y";
import { expect, it } from "vitest";
import { colors } from "../../../scripts/dev/gallery/colors.ts";
import tokens from "../../../src/ui/styles/tokens.css?raw";

extend([a11yPlugin]);

const styles = import.meta.glob("../../../{src/dashboard,src/ui,scripts/dev}/**/*.css", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The colours of a scheme, by name. */
const colorsOf = (scheme: "light" | "dark") =>
  new Map(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name = "", light, dark]) => [
      name,
      (scheme === "light" ? light : dark) ?? "",
    ]),
  );

/** Pairs of colours that are read, or that tell a control from its surroundings, with the least contrast that WCAG 2.2 asks for. */
const pairs: readonly (readonly [front: string, backs: readonly string[], ratio: number])[] = [
  ["ink", ["paper", "frame", "raised", "hover", "press", "good-soft", "warn-soft", "bad-soft"], 4.5],
  ["quiet", ["paper", "frame", "raised", "hover", "press"], 4.5],
  ["on-ink", ["ink", "ink-hover", "bad"], 4.5],
  ["signal-text", ["paper"], 4.5],
  ["good", ["paper", "good-soft"], 4.5],
  ["warn", ["paper", "warn-soft"], 4.5],
  ["bad", ["paper", "raised", "bad-soft"], 4.5],
  ["edge", ["paper", "frame"], 3],
  ["signal", ["paper"], 3],
  ["bots", ["paper"], 3],
];

it.each(["light", "dark"] as const)("the colours of the %s scheme can be read", (scheme) => {
  const known = colorsOf(scheme);
  expect([...known.keys()]).toEqual(colors);
  const low = pairs.flatMap(([front, backs, ratio]) =>
    backs.flatMap((back) => {
      const found = colord(known.get(front) ?? "").contrast(known.get(back) ?? "");
      return found < ratio ? [`${front} on ${back}: ${found}`] : [];
    }),
  );
  expect(low).toEqual([]);
});

it("stylesheets have no colours of their own, and windows have the widths of the frame", () => {
  const others = Object.entries(styles).filter(([path]) => !path.endsWith("/tokens.css"));
  expect(others.length).toBeGreaterThan(30);
  const found = others.flatMap(([path, style]) =>
    (style as string)
      .replaceAll(/\/\*.*?\*\//gs, "")
      .split("\n")
      .filter(
        (line) =>
          /[: ,(](#[\da-f]{3,8}|(rgb|hsl|oklch)\()/.test(line) ||
          (/@media.*width/.test(line) &&
            !/^[^\d]*(22\.49|47\.99|48|74\.99|75)rem[^\d]*(74\.99rem[^\d]*)?$/.test(line)),
      )
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
