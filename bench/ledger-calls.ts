import type { Server } from "./load/server.ts";

/** Calls a method of a ledger in a server that runs `workers/metered.ts`. @throws if it fails */
export async function callLedger<T>(
  server: Server,
  ledger: string,
  method: string,
  values: readonly (string | number)[],
): Promise<T> {
  const response = await fetch(`${server.origin}/bench/${ledger}/${method}`, {
    method: "POST",
    body: JSON.stringify(values),
  });
  if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
