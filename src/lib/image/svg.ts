import type { Gradient, Paint } from "./design.ts";
import type { Drawing } from "./drawing.ts";
import { short } from "./path.ts";

/**
 * Converts a drawing to SVG: one path per fill, in units of modules, with the logo as an image on top.
 * @param size pixels of the longer side
 */
export function svgOf(drawing: Drawing, size: number): string {
  const { width, height, layers, logo } = drawing;
  const scale = size / Math.max(width, height);
  const definitions: string[] = [];
  const nextId = () => `${idOf(drawing)}-${definitions.length}`;
  const fillOf = ({ color, gradient }: Paint): string => {
    if (gradient === undefined) return color;
    const name = nextId();
    definitions.push(gradientElement(name, color, gradient, drawing.symbol));
    return `url(#${name})`;
  };
  const paths = layers.map(({ fill, path }) => `<path fill="${fillOf(fill)}" d="${path}"/>`);
  const image = logo === undefined ? "" : imageElement(logo, nextId, definitions);
  const defs = definitions.length === 0 ? "" : `<defs>${definitions.join("")}</defs>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width * scale)}" height="${short(height * scale)}" ` +
    `viewBox="0 0 ${short(width)} ${short(height)}">${defs}${paths.join("")}${image}</svg>\n`
  );
}

/** Creates a gradient that ends at the edges of the symbol. */
function gradientElement(
  id: string,
  from: string,
  { type, to, angle }: Gradient,
  { x, y, side }: Drawing["symbol"],
): string {
  const [cx, cy] = [x + side / 2, y + side / 2];
  const stops = `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`;
  const units = `id="${id}" gradientUnits="userSpaceOnUse"`;
  if (type === "radial") {
    const radius = short(side * Math.SQRT1_2);
    return `<radialGradient ${units} cx="${short(cx)}" cy="${short(cy)}" r="${radius}">${stops}</radialGradient>`;
  }
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const reach = ((Math.abs(cos) + Math.abs(sin)) * side) / 2;
  const ends = Object.entries({
    x1: cx - cos * reach,
    y1: cy - sin * reach,
    x2: cx + cos * reach,
    y2: cy + sin * reach,
  }).map(([name, value]) => `${name}="${short(value)}"`);
  return `<linearGradient ${units} ${ends.join(" ")}>${stops}</linearGradient>`;
}

/**
 * Returns the logo as an element. Base64 prevents the file from closing the element, and Illustrator needs
 * `xlink:href`. The area has the image's proportions, so `slice` crops nothing of the logo; it makes every renderer
 * clip parts that an SVG draws outside its own edges, which would cover modules.
 */
function imageElement(
  logo: NonNullable<Drawing["logo"]>,
  nextId: () => string,
  definitions: string[],
): string {
  const { mediaType, bytes, clip, ...area } = logo;
  const { x, y, width, height } = area;
  const place = Object.entries({ x, y, width, height }).map(
    ([name, value]) => `${name}="${Number(value.toFixed(4))}"`,
  );
  let clipped = "";
  if (clip !== undefined) {
    const center = `cx="${short(x + width / 2)}" cy="${short(y + height / 2)}"`;
    const id = nextId();
    definitions.push(`<clipPath id="${id}"><circle ${center} r="${short(clip)}"/></clipPath>`);
    clipped = ` clip-path="url(#${id})"`;
  }
  return (
    `<image xmlns:xlink="http://www.w3.org/1999/xlink" ${place.join(" ")}${clipped} preserveAspectRatio="xMidYMid slice" ` +
    `xlink:href="data:${mediaType};base64,${bytes.toBase64()}"/>`
  );
}

/** Returns a prefix for ids that is unique to the drawing: a hash (FNV-1a) of its paths. */
function idOf({ width, height, layers }: Drawing): string {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify([width, height, layers])) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return `qr-${hash.toString(36)}`;
}

/** Returns the size of one of our drawings, whose units are modules. */
export function sizeInModules(svg: string): { width: number; height: number } {
  const [, , width = 1, height = 1] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? "").split(" ").map(Number);
  return { width, height };
}
