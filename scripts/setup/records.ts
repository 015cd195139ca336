import type { Hosts } from "../lib/installation/hosts.ts";

/** The means to wait for records. */
export interface RecordWorld {
  /** Returns a host's addresses as a name server of its domain has them, not as a resolver remembers; empty if none. */
  readonly lookUpAt: (nameServers: readonly string[], host: string) => Promise<readonly string[]>;
  readonly pause: () => Promise<void>;
  readonly say: (line: string) => void;
}

/** How often a domain's name servers are asked, with a pause between. A new record is there within seconds. */
const attempts = 30;

/**
 * Waits until the name servers of their domains know attached hosts. A resolver that was asked before would remember
 * for up to half an hour that they don't exist.
 * @param command continues later
 */
export async function waitForRecords(
  { missing }: Pick<Hosts, "missing">,
  { lookUpAt, pause, say }: RecordWorld,
  command = "npm run setup",
): Promise<void> {
  for (const { host, zone } of missing) {
    const { name_servers: servers = [] } = zone;
    if (servers.length === 0) continue;
    for (let attempt = 1; (await lookUpAt(servers, host)).length === 0; attempt += 1) {
      if (attempt === 1) say(`  … waiting for the name servers of ${zone.name} to know ${host}`);
      if (attempt === attempts) {
        say(
          `  · They don't answer for ${host} here. If it isn't found now, continue in half an hour: ${command}`,
        );
        break;
      }
      await pause();
    }
  }
}
