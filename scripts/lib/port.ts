import { once } from "node:events";
import { createServer } from "node:net";
import { Failure } from "./failure.ts";

/**
 * Makes sure that nobody listens where the service or its provider is going to.
 * @param option that chooses another port
 * @throws Failure for a port that is taken or not permitted
 */
export async function requireFreePort(port: number, option = "--port"): Promise<void> {
  // Both, because a browser may take either for localhost.
  for (const host of ["127.0.0.1", "::1"]) {
    const code = await tryToListen(port, host);
    if (code === "EADDRINUSE") {
      throw new Failure(`Port ${port} is taken. Stop what listens there, or choose another: ${option} N`);
    }
    if (code === "EACCES") throw new Failure(`Port ${port} is not permitted. Choose another: ${option} N`);
  }
}

/** @returns the error's code, undefined where it went well; machines without IPv6 say EADDRNOTAVAIL */
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
