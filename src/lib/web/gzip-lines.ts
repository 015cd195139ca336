import { Utf8Decoder } from "../text/utf8.ts";

/** Lines to compress at a time, so that others get a turn in between. */
const linesPerBlock = 200;

/** Compresses lines, each of which ends in a line feed. */
export async function gzipLines(lines: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let next = 0;
  const blocks = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (next >= lines.length) return controller.close();
      controller.enqueue(encoder.encode(lines.slice(next, next + linesPerBlock).join("")));
      next += linesPerBlock;
    },
  });
  const compressed = blocks.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** The lines of a compressed stream without their line feeds, as many at a time as the stream yields. */
export async function* gunzipLines(compressed: ReadableStream): AsyncGenerator<string[]> {
  const decoder = new Utf8Decoder();
  let rest = "";
  for await (const bytes of compressed.pipeThrough(new DecompressionStream("gzip"))) {
    const lines = (rest + decoder.decode(bytes, false)).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines;
  }
  if (rest !== "") throw new Error("the last line of a compressed file is not complete");
}
