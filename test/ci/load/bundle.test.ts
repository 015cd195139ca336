import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  buildEdge,
  buildImages,
  buildService,
  evaluatedBytes,
  packagesIn,
  sizes,
} from "../../../scripts/lib/build.ts";
import { counts, problemOf } from "../../../scripts/lib/structure.ts";

describe("the built Workers are within the bounds of the structure check", () => {
  const kibibytes = (bytes: number) => Math.round(bytes / 1024);

  it("for what the main Worker evaluates before its first request", async () => {
    expect(problemOf(counts.evaluatedBytes, evaluatedBytes(await buildService()))).toBeUndefined();
  });

  it("for the main Worker, gzipped", async () => {
    const { gzip } = sizes(await buildService());
    expect(problemOf(counts.mainGzip, kibibytes(gzip))).toBeUndefined();
  });

  it("for the Worker for scans, gzipped, without zod and drizzle", async () => {
    const script = await buildEdge();
    expect(problemOf(counts.edgeGzip, kibibytes(sizes(script).gzip))).toBeUndefined();
    expect([...packagesIn(script)]).toEqual(["hono", "isbot"]);
  });

  it("for the images Worker, gzipped", async () => {
    const { gzip } = sizes(join(await buildImages(), "index.js"));
    expect(problemOf(counts.imagesGzip, kibibytes(gzip))).toBeUndefined();
  });
});
