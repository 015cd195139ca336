import { logoSvg } from "../../lib/image/logo-drawing.ts";

/** Drawings in which an address such as `file:0` stands for the first data URI in `files`. */
interface SharedFiles {
  readonly drawings: readonly string[];
  readonly files: readonly string[];
}

/** Extracts the pictures from drawings, so that each one is stored once. */
export function shareFiles(svgs: readonly string[]): SharedFiles {
  const files = new Map<string, number>();
  const drawings = svgs.map((svg) =>
    svg.replace(/(?<=href=")data:[^"]+/g, (address) => {
      const index = files.get(address) ?? files.size;
      files.set(address, index);
      return `file:${index}`;
    }),
  );
  return { drawings, files: [...files.keys()] };
}

/** Returns a drawing with its pictures as references to those of `definedFiles`. */
export const withUses = (svg: string): string =>
  svg.replace(/<image ([^>]*?)xlink:href="file:(\d+)"\/>/g, (_, attributes: string, index: string) => {
    const at = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
    const clip = at("clip-path");
    const used = `<use href="#file-${index}" transform="translate(${at("x")} ${at("y")}) scale(${at("width")} ${at("height")})"/>`;
    return clip === "" ? used : `<g clip-path="${clip}">${used}</g>`;
  });

/** Defines the pictures of drawings, each as a unit square. */
export const definedFiles = (files: readonly string[]): string =>
  files
    .map(
      (address, index) =>
        `<image id="file-${index}" width="1" height="1" preserveAspectRatio="none" href="${shown(address)}"/>`,
    )
    .join("");

/** Returns a picture as browsers show it. */
function shown(address: string): string {
  const [, json] = /^data:application\/json;base64,(.*)$/.exec(address) ?? [];
  if (json === undefined) return address;
  const drawing = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(json)));
  return `data:image/svg+xml;base64,${new TextEncoder().encode(logoSvg(drawing)).toBase64()}`;
}
