/** A stream whose length, if it is known, is told to the client, who then sees how much of it is left. */
export const ofLength = (
  stream: ReadableStream<Uint8Array>,
  bytes: number | undefined,
): ReadableStream<Uint8Array> =>
  bytes === undefined ? stream : stream.pipeThrough(new FixedLengthStream(bytes));
