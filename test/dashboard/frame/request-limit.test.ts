import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { userMeterName } from "../../../src/domain/context/context.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt } from "../../support/dashboard.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { FakeClock, origin, Service, type SessionClient } from "../../support/service.ts";

const minute = 60_000;
const clock = new FakeClock();
const service = new Service({ now: clock.now });
const form = { origin, "content-type": "application/x-www-form-urlencoded" };
let me: SessionClient;
let browser: Browser;

beforeEach(async () => {
  // 43 seconds before the end of a minute.
  clock.advance(minute - (clock.now() % minute) + 17_000);
  me = await service.session("pro", null);
  browser = new Browser(service);
  browser.cookies.set("session", me.cookie.replace("session=", ""));
});

/** Counts requests of the user, as if they had been sent. */
async function spend(count: number): Promise<void> {
  const meter = env.METERS.get(env.METERS.idFromName(userMeterName(me)));
  await runInDurableObject(meter, (_, { storage }) => {
    storage.kv.put("window", { minute: Math.floor(clock.now() / minute), count });
  });
  // It reads its counts when it starts.
  await evictDurableObject(meter);
}

it("admits so many requests of a person a minute, and counts what they send to the API", async () => {
  await spend(limits.dashboardRequests - 2);
  expect((await me.send("GET", "/developer/workspace")).status).toBe(429);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => browser.submit("/dashboard/folders", { name: "Menus" })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 429, 429, 429]);
  const refused = await browser.open("/dashboard/folders");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "43"]);
  const page = await refused.text();
  expect(page).toContain("Rate limit exceeded. Try again in 43 seconds.");
  expect(page).toContain('href="/dashboard/folders">Try again</a>');

  clock.advance(43_000);
  const list = await pageAt(browser, "/dashboard/folders");
  expect(list.match(/class="name"/g)).toHaveLength(2);
});

it("refuses pages and forms once a person's requests are used up, but no part that polls", async () => {
  const isCounted = (route: (typeof routes)[number]) => route[4]?.counted !== false;
  await spend(limits.dashboardRequests);
  for (const route of oneOfEach(routes, (each) => `${each[0]} ${isCounted(each)}`)) {
    const [method, path] = route;
    const { status } = await browser.send(
      method,
      path === "/" ? "/dashboard" : `/dashboard${path}`,
      method === "POST" ? form : {},
    );
    expect([path, status !== 429]).toEqual([path, !isCounted(route)]);
  }
  const polled = routes.filter((route) => !isCounted(route)).map(([, path]) => path);
  expect(polled).toEqual([
    "/jobs/under-way",
    "/jobs/:id/progress",
    "/prints/:id/progress",
    "/developer/webhooks/:id/deliveries/:delivery/part",
    "/developer/webhooks/:id/replay/progress",
  ]);
});

it("gives a refused form back, to be sent again", async () => {
  await spend(limits.dashboardRequests);
  const path = "/dashboard/codes/new?from=menu";
  const fields = { type: "url", "data.url": "menu.example", name: `"Menu" & more`, advanced: "two\nlines" };
  const refused = await browser.submit(path, fields);
  const page = await refused.text();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "43"]);
  expect(fieldsOf(page)).toEqual({ ...fields, workspaceId: me.workspaceId });
  expect(page).toContain(`<form method="post" action="${path}"`);
  clock.advance(43_000);
  expect((await browser.submit(path, fieldsOf(page))).status).toBe(303);
  expect(await pageAt(browser, "/dashboard/codes")).toContain("&quot;Menu&quot; &amp; more");
});

it("asks for the files of a refused form again", async () => {
  await spend(limits.dashboardRequests);
  const refused = await browser.upload("/dashboard/codes/import", { step: "read", file: new Uint8Array(9) });
  const page = await refused.text();
  expect(refused.status).toBe(429);
  expect(page).toContain('enctype="multipart/form-data"');
  expect(page).toContain('<input type="file" name="file" required=""/>');
  expect(fieldsOf(page)).toEqual({ step: "read", workspaceId: me.workspaceId });
});

it("says above the page that a part of it was refused, and in a frame that its page was", async () => {
  await spend(limits.dashboardRequests);
  const part = await browser.send("GET", "/dashboard/codes/preview", { "hx-request": "true" });
  expect([part.status, part.headers.get("hx-retarget")]).toEqual([429, "#refused"]);
  expect(await part.text()).toMatch(/^<div class="notice bad".*Try again in 43 seconds.*<\/div>$/);
  const frame = { ...form, "sec-fetch-dest": "iframe" };
  const preview = await browser.send("POST", "/dashboard/pages/preview", frame);
  expect(preview.status).toBe(429);
  expect(preview.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  const refusal = await preview.text();
  expect(refusal).toContain("Try again in 43 seconds");
  // The frame is sandboxed, and the browser complains of each script in it.
  expect(refusal).not.toContain("<script");
});
