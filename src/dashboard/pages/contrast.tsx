import type { PageColors } from "../../contract/resources/pages.ts";
import { contrastsOf, minContrast } from "../../domain/pages/palette.ts";
import type { Fragment, DashboardRequest } from "../frame/request.ts";
import { colorNames } from "./form-values.ts";

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

const colorsIn = (values: URLSearchParams): PageColors =>
  Object.fromEntries(
    colorNames.flatMap((name) => {
      const color = values.get(`colors.${name}`);
      return color === null ? [] : [[name, color]];
    }),
  );

/** Updates the contrasts while colours are chosen. */
export const contrastNotes = ({ query }: DashboardRequest): Fragment => ({
  fragment: <Contrasts values={query} />,
});
