import { LogoProblem } from "./work.ts";

/** Elements that are often in exports, with what to do about them. */
const refusedElements: Readonly<Record<string, string>> = {
  text: "has text. Convert it to paths.",
  flowRoot: "has text. Convert it to paths.",
  switch: "can't contain <switch>. Export it for other programs than the one it was made with.",
};

const withoutEffects = "Export it without effects.";

/** Refuses what an element's drawing can't show. @throws LogoProblem */
export function requireDrawable(tag: string, declared: ReadonlyMap<string, string>, isRoot: boolean): void {
  const problem = Object.hasOwn(refusedElements, tag) ? refusedElements[tag] : undefined;
  if (problem !== undefined) throw new LogoProblem(problem);
  if (tag === "svg" && !isRoot) throw new LogoProblem("has an <svg> inside it. Export it as plain shapes.");
  const has = (property: string, plain: string) => (declared.get(property) ?? plain) !== plain;
  if (has("filter", "none"))
    throw new LogoProblem(`has a filter, such as a shadow or a blur. ${withoutEffects}`);
  if (has("mask", "none")) throw new LogoProblem(`has a mask. ${withoutEffects}`);
  if (has("mix-blend-mode", "normal")) throw new LogoProblem(`has a blend mode. ${withoutEffects}`);
  if (has("vector-effect", "none")) {
    throw new LogoProblem("has a vector effect. Convert strokes to paths.");
  }
}
