import { deflateSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { describe, expect, it } from "vitest";
import { imagesWorker } from "../../../scripts/lib/images-worker.ts";
import { limits } from "../../../src/contract/limits.ts";
import type { Design } from "../../../src/lib/image/design.ts";
import { drawCode } from "../../../src/lib/image/drawing.ts";
import { qrSymbol } from "../../../src/lib/image/qr-symbol.ts";
import { svgOf } from "../../../src/lib/image/svg.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { memoryOf, runtimeProcesses } from "../../e2e/support/runtime-processes.ts";
import { imageHeader, join, pngChunk, pngHead } from "../../support/images/logos.ts";
import { runs } from "../../support/runner/runs.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";

/** Asks for drawings, all at once, and answers with their sizes. */
const caller = `export default {
  async fetch(request, { IMAGES }) {
    const { svg, width, drawings } = await request.json();
    const calls = Array.from({ length: drawings }, () => IMAGES.png(svg, width).then(({ length }) => length));
    return Response.json(await Promise.all(calls));
  },
};`;

/** A PNG of the largest size in pixels and bytes that a logo may have. */
function largestLogo(): Uint8Array<ArrayBuffer> {
  const random = new SeededRandom(50);
  const side = 1024;
  const lines = new Uint8Array(side * (side * 4 + 1)).map((_, i) => (i < 240_000 ? random.below(256) : 255));
  // No line is filtered.
  for (let y = 0; y < side; y += 1) lines[y * (side * 4 + 1)] = 0;
  const kind = { colorType: 6, depth: 8, interlaced: false, transparency: false } as const;
  return join(
    pngHead,
    imageHeader(side, side, kind),
    pngChunk("IDAT", deflateSync(lines)),
    pngChunk("IEND", []),
  );
}

/** A code with all that takes memory: a gradient, and the largest logo. */
function heavyDrawing(width: number): string {
  const symbol = qrSymbol("https://qr.example.com/0a1b2c3d", "H");
  if (symbol === undefined) throw new Error("no symbol");
  const paint = { color: "#0c4a6e", gradient: { type: "linear", to: "#0e7490", angle: 45 } } as const;
  const design: Design = {
    ...{ modules: "connected", eyeFrame: "leaf", eyeCenter: "drop", dots: paint, corners: paint },
    ...{ background: "#ffffff", backgroundRadius: 3, compact: false },
    logo: { padding: 1, cutout: "square" },
  };
  const file = Buffer.from(largestLogo()).toString("base64");
  const logo = `<image x="16" y="16" width="8" height="8" href="data:image/png;base64,${file}"/>`;
  return svgOf(drawCode(symbol, design, { quietZone: 4 }), width).replace("</svg>", `${logo}</svg>`);
}

describe("the images Worker", () => {
  it("takes less than 100 MiB for as many drawings as it takes at once", async () => {
    const width = runs(512, limits.drawnPng);
    const svg = heavyDrawing(width);
    const others = runtimeProcesses();
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        workers: [
          {
            ...{ name: "caller", modules: true, script: caller, compatibilityDate: "2026-10-01" },
            serviceBindings: { IMAGES: "qr-code-images" },
          },
          await imagesWorker(),
        ],
      }),
    );
    try {
      const ask = async (drawings: number) => {
        const body = JSON.stringify({ svg, width, drawings });
        const response = await miniflare.dispatchFetch("http://localhost", { method: "POST", body });
        return (await response.json()) as number[];
      };
      expect(await ask(0)).toEqual([]);
      const [pid = 0] = runtimeProcesses().filter((process) => !others.includes(process));
      const idle = memoryOf(pid).now;
      const sizes = await ask(bounds.imagesWorker.drawings);
      expect(sizes.filter((size) => size > 10_000)).toHaveLength(bounds.imagesWorker.drawings);
      // All that the runtime's process takes: also the compiled WebAssembly, and what the caller holds.
      expect((memoryOf(pid).peak - idle) / 2 ** 20).toBeLessThan(100);
    } finally {
      await miniflare.dispose();
    }
  });
});
