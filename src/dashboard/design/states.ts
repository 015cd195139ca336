import { limits } from "../../contract/limits.ts";

function gradientState(values: URLSearchParams): string {
  const parts = [
    ["gradient", "modules"],
    ["eyeGradient", "eyes"],
  ].flatMap(([name = "", words = ""]) => {
    const type = values.get(`advanced.${name}.type`) ?? "";
    return type === "" ? [] : `${type} across the ${words}`;
  });
  const text = parts.join(", ");
  return text === "" ? "None" : text.charAt(0).toUpperCase() + text.slice(1);
}

function readingState(values: URLSearchParams): string {
  const zone = values.get("advanced.quietZone") || limits.image.margin.default;
  const ecc = values.get("advanced.ecc") || "best fit";
  return `${zone} modules of quiet zone, ${ecc === "best fit" ? ecc : `level ${ecc}`}`;
}

/** Brief summaries of the fields of a design that are shown on demand. @param values of the form */
export const designStates = { gradient: gradientState, reading: readingState } as const;
