import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { plans } from "../../src/contract/plans.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { leaveRoom } from "../support/catalogue/stored-bytes.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
let code: Qr;

const to = (url: string) => ({ data: { type: "url", url } }) as const;
const another = { qrType: "url", ...to("https://example.com/another") };
const scan = async () => (await new Service({ now: clock.now }).scan(code.hash)).headers.get("location");
const setRow = (assignments: string) =>
  env.DB.prepare(`UPDATE workspaces SET ${assignments} WHERE id = ?`).bind(client.workspaceId).run();

beforeEach(async () => {
  client = await service.workspace("pro", null);
  code = await client.createQr(to("https://example.com/lunch-menu"));
});

describe("at a limit of the plan, printed codes answer and can be changed:", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["codes", () => setRow(`live_codes = ${plans.pro.liveCodes}`)],
    [
      "new codes a day",
      () =>
        setRow(
          `creations = ${plans.pro.creationsPerDay}, creations_day = ${Math.floor(clock.now() / 86_400_000)}`,
        ),
    ],
    ["storage", () => leaveRoom(client, 10)],
  ])("%s", async (_, reach) => {
    await reach();
    await expectError(await client.send("POST", "/qr", another), 402, "plan_limit");
    expect(await scan()).toBe("https://example.com/lunch-menu");
    await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, to("https://example.com/dinner"));
    clock.advance(2000);
    expect(await scan()).toBe("https://example.com/dinner");
  });

  it("storage, but for a change that needs more room than there is", async () => {
    await leaveRoom(client, 10);
    const longer = to(`https://example.com/${"x".repeat(200)}`);
    await expectError(await client.send("PATCH", `/qr/${code.id}`, longer), 402, "plan_limit");
    expect(await scan()).toBe("https://example.com/lunch-menu");
  });

  it("requests a minute, where a change waits for the next minute", async () => {
    client = await service.workspace("pro", 5);
    code = await client.createQr(to("https://example.com/lunch-menu"));
    clock.advance(60_000 - (clock.now() % 60_000));
    const answers = [];
    for (let i = 0; i <= 5; i += 1) {
      answers.push((await client.send("GET", `/qr/${code.id}`)).status);
    }
    expect(answers.at(-1)).toBe(429);
    for (let i = 0; i < 6; i += 1) expect(await scan()).toBe("https://example.com/lunch-menu");
    clock.advance(60_000);
    await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, to("https://example.com/dinner"));
  });
});
