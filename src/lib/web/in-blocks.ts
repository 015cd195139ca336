export const blockBytes = 64 * 1024;

/**
 * Yields a stream's bytes in blocks of 64 KiB; the last one may be shorter. A stream's own chunks can have any size.
 */
export async function* inBlocks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(blockBytes);
  let length = 0;
  for await (let rest of chunks) {
    while (rest.length > 0) {
      const taken = rest.subarray(0, blockBytes - length);
      block.set(taken, length);
      length += taken.length;
      rest = rest.subarray(taken.length);
      if (length < blockBytes) continue;
      yield block;
      block = new Uint8Array(blockBytes);
      length = 0;
    }
  }
  if (length > 0) yield block.subarray(0, length);
}
