import { expect, it } from "vitest";

const files = import.meta.glob("../../../src/{dashboard,ui}/**/*.css", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Stylesheets of one purpose for elements of all areas: paper, and the size of what is touched. */
const isForAllAreas = (path: string) => /\/styles\/(print|targets)\.css$/.test(path);

/** The classes that a stylesheet styles wherever they stand, as `.card {` does and `.import .card {` does not. */
function ownClasses(style: string): Set<string> {
  const flat = style.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\([^()]*\)/g, "()");
  const selectors = [...flat.matchAll(/([^{};]+)\{/g)].flatMap(([, list = ""]) => list.split(","));
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1] ?? []));
}

it("each class is styled by one area only", () => {
  const areas = new Map<string, Set<string>>();
  for (const [path, style] of Object.entries(files)) {
    if (isForAllAreas(path)) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    for (const name of ownClasses(style)) areas.set(name, (areas.get(name) ?? new Set()).add(folder));
  }
  expect(areas.size).toBeGreaterThan(200);
  const shared = [...areas].filter(([, folders]) => folders.size > 1);
  expect(shared.map(([name, folders]) => `.${name}: ${[...folders].join(", ")}`)).toEqual([]);
});
