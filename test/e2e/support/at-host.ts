import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

/**
 * Requests a path of a local service at another host, such as go.acme.localhost, which not every system resolves.
 * @returns where the response leads, or null
 */
export async function locationAt(origin: string, host: string, path: string): Promise<string | null> {
  const { hostname, port } = new URL(origin);
  const request = get({ hostname, port, path, headers: { host: `${host}:${port}` } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  return response.headers.location ?? null;
}
