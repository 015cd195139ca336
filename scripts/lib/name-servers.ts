import { Resolver } from "node:dns/promises";

/** How long a name server may take to answer. */
const nameServerMilliseconds = 3_000;

/**
 * Asks name servers for the addresses of a host, past the resolvers that remember answers.
 * @returns none if they don't know the host, or can't be reached
 */
export async function lookUpAt(nameServers: readonly string[], host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: nameServerMilliseconds, tries: 1 });
  const addresses = await Promise.all(nameServers.map((server) => new Resolver().resolve4(server))).catch(
    () => [],
  );
  if (addresses.length === 0) return [];
  resolver.setServers(addresses.flat());
  return resolver.resolve4(host).catch(() => []);
}
