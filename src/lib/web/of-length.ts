/** A stream with a known length is sent with its content-length, so that the client can show how much is left. */
export const ofLength = (
  stream: ReadableStream<Uint8Array>,
  bytes: number | undefined,
): ReadableStream<Uint8Array> =>
  bytes === undefined ? stream : stream.pipeThrough(new FixedLengthStream(bytes));
