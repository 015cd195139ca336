import { createWriteStream } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Download } from "../index.ts";
import { UsageError } from "./exit-codes.ts";
import { clean } from "./output.ts";

/** Reads a file, or with `-` the standard input. */
export async function readInput(file: string): Promise<Uint8Array> {
  if (file === "-") return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Writes a download to a file, which is there once it is whole; without one, to the standard output. */
export async function save(download: Download, file: string | undefined, signal: AbortSignal): Promise<void> {
  if (file === undefined || file === "-") return print(download);
  const part = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(download.stream as never), createWriteStream(part), { signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function print(download: Download): Promise<void> {
  if (process.stdout.isTTY) {
    if (/pdf|png|zip/.test(download.type))
      throw new UsageError("Name a file with -o: the terminal can't show this.");
    for await (const line of download.lines()) process.stdout.write(`${clean(line)}\n`);
    return;
  }
  await pipeline(Readable.fromWeb(download.stream as never), process.stdout, { end: false });
}
