import { beforeEach, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Browser } from "../support/browser.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let owner: SessionClient;
let client: Client;
let code: Qr;

const scan = async () => (await new Service({ now: clock.now }).scan(code.hash)).status;

beforeEach(async () => {
  owner = await service.session();
  client = await service.client(owner.workspaceId);
  code = await client.createQr();
});

describe("a printed code answers", () => {
  it("after the key that created it is revoked", async () => {
    expect((await owner.send("DELETE", `/developer/keys/${client.keyId}`)).status).toBe(200);
    expect((await client.send("GET", "/qr")).status).toBe(401);
    clock.advance(60_000);
    expect(await scan()).toBe(302);
  });

  it("after its owner leaves, and the next owner can change it", async () => {
    const heir = await service.sessionIn(owner.workspaceId, "admin");
    expect((await owner.send("POST", "/developer/workspace/leave")).status).toBe(400);
    expect((await owner.send("POST", `/developer/members/${heir.userId}/transfer`)).status).toBe(200);
    expect((await owner.send("POST", "/developer/workspace/leave")).status).toBe(200);
    clock.advance(60_000);
    expect(await scan()).toBe(302);
    const browser = new Browser(service);
    browser.cookies.set("session", heir.cookie.replace("session=", ""));
    await browser.submit(`/dashboard/codes/${code.id}/pause`, {});
    clock.advance(2000);
    expect(await scan()).toBe(404);
  });
});
