import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import runbooks from "../../docs/operating/runbooks.md?raw";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { Readiness } from "../../src/contract/resources/operations/operations.ts";
import { type Edge, World } from "../support/world/world.ts";

afterEach(() => void vi.useRealTimers());

const [, runbook = ""] = /## The route cache is empty.*?--command "([^"]+)"/s.exec(runbooks) ?? [];

async function emptyRouteCache(): Promise<void> {
  const { keys } = await env.ROUTES.list();
  for (const { name } of keys) await env.ROUTES.delete(name);
}

it("domains and suspensions come back by themselves to an emptied route cache, and aliases by the runbook", async () => {
  const world = new World(2);
  const [writer, reader] = world.edges as [Edge, Edge];
  const client = await writer.service.workspace();
  const suspended = await writer.service.workspace();
  const host = "go.lost.example";
  const { operator } = writer.service;
  await operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: client.workspaceId,
  });
  const code = await client.createQr({ data: { type: "url", url: "https://example.com/menu" } });
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { aliases: [`${host}/menu`] });
  const phishing = await suspended.createQr({ data: { type: "url", url: "https://example.com/phishing" } });
  const suspension = `/operator/workspaces/${suspended.workspaceId}/suspension`;
  expect((await operator.send("PUT", suspension, { reason: "Phishing" })).status).toBe(200);
  await world.advance(3 * 60_000);

  const scan = async (url: string) => {
    world.restart(reader);
    const response = await reader.service.fetch(url, { method: "HEAD", cf: reader.cf });
    return response.headers.get("location") ?? response.status;
  };
  const scans = async () => [
    await scan(`https://${host}/${code.hash}`),
    await scan(`https://${host}/menu`),
    await scan(`/${phishing.hash}`),
  ];
  const faults = async () => {
    const answer = await reader.service.operator.send("GET", "/operator/readiness");
    const { findings } = Readiness.parse(await answer.json());
    return findings.filter(({ name }) => name === "cached routes").map(({ status }) => status);
  };
  const menu = "https://example.com/menu";
  expect([await scans(), await faults()]).toEqual([[menu, menu, 403], ["ok"]]);

  // So long after the changes that no feed lists them any more.
  await world.advance(15 * 60_000);
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { name: "Menu" });
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { status: "paused" });
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { status: "active" });
  await emptyRouteCache();
  expect([await scans(), await faults()]).toEqual([[menu, 404, "https://example.com/phishing"], ["failed"]]);

  await world.advance(3 * 60_000);
  expect([await scans(), await faults()]).toEqual([[menu, 404, 403], ["ok"]]);

  await env.DB.prepare(runbook).run();
  await world.advance(3 * 60_000);
  expect(await scans()).toEqual([menu, menu, 403]);
});
