/** The bytes of a stream in blocks of `size`; the last one may be shorter. A stream's own chunks may be of any size. */
export async function* inBlocks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(size);
  let length = 0;
  for await (let rest of chunks) {
    while (rest.length > 0) {
      const taken = rest.subarray(0, size - length);
      block.set(taken, length);
      length += taken.length;
      rest = rest.subarray(taken.length);
      if (length < size) continue;
      yield block;
      block = new Uint8Array(size);
      length = 0;
    }
  }
  if (length > 0) yield block.subarray(0, length);
}
