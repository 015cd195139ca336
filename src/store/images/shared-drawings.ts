/** A cache that the isolates of a colo share. Its keys say all that a drawing depends on, so that none is ever out of date. */
export interface SharedDrawings {
  /** The origin of the cache's keys, which no request reaches. */
  readonly origin: string;
  open(): Promise<Pick<Cache, "match" | "put">>;
}

/** Seconds. Only a limit: the cache forgets what nobody asks for. */
const maxAge = 30 * 24 * 60 * 60;

/** The drawing or measurement of this key; undefined if there is none, or the cache dropped it. */
export const readDrawing = async (
  { origin, open }: SharedDrawings,
  key: string,
): Promise<Response | undefined> => (await open()).match(`${origin}/${key}`);

export async function writeDrawing(
  { origin, open }: SharedDrawings,
  key: string,
  body: Uint8Array<ArrayBuffer> | string,
): Promise<void> {
  const headers = { "cache-control": `public, max-age=${maxAge}` };
  await (await open()).put(`${origin}/${key}`, new Response(body, { headers }));
}
