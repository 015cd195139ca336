import { expect } from "vitest";
import { rasterise } from "./decode.ts";

/** Returns the width and height of an answered PNG, which must have a picture of more than one colour. */
export async function pictureSize(answer: Response): Promise<readonly [width: number, height: number]> {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { data } = await rasterise("png", bytes, 100);
  expect(new Set(data).size).toBeGreaterThan(2);
  const header = new DataView(bytes.buffer);
  return [header.getUint32(16), header.getUint32(20)];
}
