import { Resolver } from "node:dns/promises";
import { connect } from "node:tls";

/** How long a step of the network may take. */
const stepMilliseconds = 5_000;

/** The certificate that a host shows. */
interface Certificate {
  readonly validTo: number;
  /** Why it isn't trusted; undefined if it is. */
  readonly problem: string | undefined;
}

/** The parts of the network that a browser uses before it sends a request. */
export interface Network {
  /** Returns a host's addresses. @throws Error with DNS's `code` */
  readonly lookUp: (host: string) => Promise<string[]>;
  /** @throws Error if no connection is made */
  readonly readCertificate: (host: string) => Promise<Certificate>;
}

/** The network of this machine. */
export const network: Network = {
  async lookUp(host) {
    const resolver = new Resolver({ timeout: stepMilliseconds, tries: 2 });
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [four, six].flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (addresses.length === 0 && four.status === "rejected") throw four.reason;
    return addresses;
  },
  readCertificate: (host) =>
    new Promise((resolve, reject) => {
      // Nothing is sent over this connection, so a certificate that isn't trusted can be reported instead of refused.
      const socket = connect({ host, port: 443, servername: host, rejectUnauthorized: false });
      socket.setTimeout(stepMilliseconds, () => socket.destroy(new Error("no answer in time")));
      socket.once("error", reject);
      socket.once("secureConnect", () => {
        const { valid_to } = socket.getPeerCertificate();
        const problem = socket.authorized ? undefined : String(socket.authorizationError);
        socket.end();
        resolve({ validTo: Date.parse(valid_to), problem });
      });
    }),
};

/** Reads at most so many bytes of a response as JSON. @throws Error beyond them, and if it isn't JSON */
export async function readJson(response: Response, bytes: number): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > bytes) throw new Error(`the answer has more than ${bytes} bytes`);
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString());
}
