import { once } from "node:events";
import { createServer } from "node:net";
import { Failure } from "./failure.ts";

/** Reads the port of an option. @throws Failure that names the option */
export function parsePort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Failure(`${option} must be a port, 1 to 65535, not "${text}"`);
  return port;
}

/**
 * Checks that a port is free.
 * @param option the command line option that sets the port, for the error
 * @throws Failure for a port that is in use or not permitted
 */
export async function requireFreePort(port: number, option = "--port"): Promise<void> {
  // A browser may use either address for localhost.
  for (const host of ["127.0.0.1", "::1"]) {
    const code = await tryToListen(port, host);
    if (code === "EADDRINUSE") {
      throw new Failure(`Port ${port} is taken. Stop what listens there, or choose another: ${option} N`);
    }
    if (code === "EACCES") throw new Failure(`Port ${port} is not permitted. Choose another: ${option} N`);
  }
}

/** @returns the error's code; undefined if the port is free. Machines without IPv6 report EADDRNOTAVAIL. */
async function tryToListen(port: number, host: string): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : undefined;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, "close");
    }
  }
}
