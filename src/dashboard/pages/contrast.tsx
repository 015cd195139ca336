import { contrastsOf, minContrast } from "../../domain/pages/palette.ts";
import { colorsIn } from "./form-values.ts";

const pairs = [
  ["text", "Text on the background"],
  ["accent", "Buttons on the background"],
] as const;

/** The contrasts of a page's colours, in numbers and words. */
export function Contrasts({ values }: { values: URLSearchParams }) {
  const contrasts = contrastsOf(colorsIn(values));
  return (
    <ul class="plain contrasts">
      {pairs.map(([name, label]) => {
        const isEnough = contrasts[name] >= minContrast[name];
        const verdict = isEnough ? "readable" : `hard to read: needs ${minContrast[name]}:1`;
        return (
          <li class={isEnough ? "good" : "bad"}>
            {label}: {contrasts[name]}:1, {verdict}
          </li>
        );
      })}
    </ul>
  );
}
