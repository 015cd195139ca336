import { Utf8Decoder } from "../text/utf8.ts";

/** How many lines are compressed at a time, so that other work gets its turn. */
const linesPerBlock = 200;

/** Compresses lines, each of which ends with a line feed. */
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

/** Yields the lines of a compressed stream without their line feeds, in batches as the stream yields them. */
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
