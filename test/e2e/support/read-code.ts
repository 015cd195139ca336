import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator } from "playwright-core";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

let prepared: Promise<unknown> | undefined;

/** Loads the decoder from its package: by default it would be fetched from the network. */
async function prepare(): Promise<void> {
  const wasm = await readFile(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
}

/** The text of the QR code in a picture; undefined if none can be read. @param picture a PNG file */
async function readCode(picture: Uint8Array): Promise<string | undefined> {
  prepared ??= prepare();
  await prepared;
  const [found] = await readBarcodes(picture, { formats: ["QRCode"] });
  return found?.text;
}

/** The text of the QR code as the screen shows it. */
export async function readCodeOnScreen(image: Locator): Promise<string | undefined> {
  await image.evaluate((element: HTMLImageElement) => element.decode());
  return readCode(await image.screenshot());
}
