/**
 * A cache shared by the isolates of a colo. Its keys contain everything that a drawing depends on, so entries are never
 * out of date.
 */
export interface SharedDrawings {
  /** The origin of the cache's keys. No request reaches it. */
  readonly origin: string;
  open(): Promise<Pick<Cache, "match" | "put">>;
}

/** Seconds. Only an upper limit; the cache evicts what nobody requests. */
const maxAge = 30 * 24 * 60 * 60;

/** Returns the drawing or measurement under this key; undefined if there is none or it has been evicted. */
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
