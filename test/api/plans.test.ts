import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { type Client, emittedEvents, Service } from "../support/service.ts";

const service = new Service();
const body = { qrType: "url", data: { type: "url", url: "example.com" } };

const setLiveCodes = (client: Client, count: number) =>
  env.DB.prepare("UPDATE workspaces SET live_codes = ? WHERE id = ?").bind(count, client.workspaceId).run();
const liveCodes = async (client: Client) =>
  await env.DB.prepare("SELECT live_codes FROM workspaces WHERE id = ?")
    .bind(client.workspaceId)
    .first("live_codes");

it("enforces the cap on live codes under 20 simultaneous creations, without events for the refused ones", async () => {
  const client = await service.workspace("pro");
  await setLiveCodes(client, 4990);
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.send("POST", "/qr", body)));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10);
  const refused = answers.filter((answer) => answer.status === 402);
  expect(refused).toHaveLength(10);
  expect(await refused[0]?.json()).toEqual({
    code: "plan_limit",
    error: "Your Pro plan allows 5000 live QR codes. Delete some, or upgrade to create more.",
  });
  expect(emittedEvents().filter((event) => event.workspaceId === client.workspaceId)).toHaveLength(10);
});

it("does not count deleted codes", async () => {
  const client = await service.workspace("pro");
  const qr = await client.createQr();
  await client.createQr();
  expect(await liveCodes(client)).toBe(2);
  await client.send("DELETE", `/qr/${qr.id}`);
  expect(await liveCodes(client)).toBe(1);
  await setLiveCodes(client, 5000);
  expect((await client.send("POST", "/qr", body)).status).toBe(402);
  const last = await service.client(client.workspaceId);
  await setLiveCodes(client, 4999);
  await last.expect(201, Qr, "POST", "/qr", body);
});

it("leaves a business workspace uncapped", async () => {
  const client = await service.workspace("business");
  await setLiveCodes(client, 1_000_000);
  await client.createQr();
  expect(await liveCodes(client)).toBe(1_000_001);
});

it("keeps resolving existing codes after a downgrade", async () => {
  const client = await service.workspace("business");
  const qr = await client.createQr();
  await env.DB.prepare("UPDATE workspaces SET plan = 'free', live_codes = 5000 WHERE id = ?")
    .bind(client.workspaceId)
    .run();
  expect((await service.scan(qr.hash)).status).toBe(302);
});

it("lets a publishable key create url codes from its own origin, on every plan", async () => {
  const owner = await service.workspace("free");
  const widget = await service.client(owner.workspaceId, ["qr:write"], "publishable", [
    "https://shop.example",
  ]);
  const from = (origin: string) => widget.send("POST", "/qr", body, { origin });
  expect((await from("https://shop.example")).status).toBe(201);
  expect((await from("https://other.example")).status).toBe(403);
  expect((await widget.send("POST", "/qr", body)).status).toBe(403);
});
