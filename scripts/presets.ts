import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./lib/wrangler.ts";

/** Writes docs/img/presets.svg, a picture of all presets: `node scripts/presets.ts`. */

// Node can't import files as modules of bytes.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".bin")) return next(url, context);
    const bytes = JSON.stringify(readFileSync(fileURLToPath(url)).toString("base64"));
    const source = `export default Buffer.from(${bytes}, "base64");`;
    return { format: "module", source, shortCircuit: true };
  },
});

const { presets } = await import("../src/contract/presets.ts");
const { designOf } = await import("../src/domain/images/design.ts");
const { glyphs } = await import("../src/domain/images/glyphs.ts");
const { drawCode } = await import("../src/lib/image/drawing.ts");
const { qrSymbol } = await import("../src/lib/image/qr-symbol.ts");
const { svgOf } = await import("../src/lib/image/svg.ts");

const columns = 4;
const cell = 220;

const drawings = presets.map(({ colorConfig, advanced }, i) => {
  const design = designOf({ colorConfig, advanced }, "business");
  const symbol = qrSymbol("https://qr.example.com/kx3m9w2p", design.ecc);
  if (symbol === undefined) throw new Error("no symbol");
  const text = design.frame?.text;
  const drawing = drawCode(symbol, design, {
    quietZone: 4,
    text: text === undefined ? undefined : glyphs().outline(text),
  });
  const [column, row] = [i % columns, Math.floor(i / columns)];
  const longer = Math.max(drawing.width, drawing.height);
  const inset = (length: number) => 10 + ((cell - 20) * (longer - length)) / longer / 2;
  const place = `x="${column * cell + inset(drawing.width)}" y="${row * cell + inset(drawing.height)}"`;
  return svgOf(drawing, cell - 20)
    .replace("<svg ", `<svg ${place} `)
    .trim();
});
const [width, height] = [columns * cell, Math.ceil(presets.length / columns) * cell];
const sheet =
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
  `<path fill="#e7e5e4" d="M0 0h${width}v${height}H0z"/>${drawings.join("")}</svg>\n`;
await writeFile(join(root, "docs/img/presets.svg"), sheet);
console.log(`${presets.length} presets, ${sheet.length} bytes`);
