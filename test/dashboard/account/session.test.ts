import { beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../../support/browser.ts";
import { origin, Service, type SessionClient } from "../../support/service.ts";

const service = new Service();
let session: SessionClient;
let browser: Browser;

beforeEach(async () => {
  session = await service.session();
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
});

describe("the dashboard", () => {
  it("ends a session by its own form", async () => {
    const answer = await browser.send("POST", "/dashboard/sign-out", { origin });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard/signed-out`);
    expect(browser.cookies.has("session")).toBe(false);
    expect(await (await browser.open("/dashboard/signed-out")).text()).toContain("prompt=login");
    expect((await browser.open("/dashboard")).status).toBe(302);
  });

  it.each([{}, { origin: "https://evil.example" }, { origin: "null" }])(
    "does not end it when asked from %j",
    async (headers: { origin?: string }) => {
      expect((await browser.send("POST", "/dashboard/sign-out", headers)).status).toBe(403);
      expect(browser.cookies.has("session")).toBe(true);
      expect((await browser.open("/dashboard/sign-out")).status).toBe(302);
    },
  );

  it("has a page for an unknown path", async () => {
    const answer = await browser.open("/dashboard/nothing");
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("<h1>Page not found</h1>");
  });
});
