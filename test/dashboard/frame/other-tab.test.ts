import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { routes } from "../../../src/dashboard/routes.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt } from "../../support/dashboard.ts";
import { rowCounts } from "../../support/endpoints.ts";
import { svgBytes } from "../../support/images/logos.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { origin, Service } from "../../support/service.ts";

/** Forms in a tab of one workspace, while another tab of the same session has switched to a second one. */

const service = new Service();
let browser: Browser;
let first: string;
let second: string;

const change = (path: string, body: object) =>
  browser.service.fetch(`/api/v1${path}`, {
    method: "PATCH",
    headers: { cookie: browser.cookie, origin, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const switchTo = (workspace: string) => browser.submit("/dashboard/workspaces/switch", { workspace });

beforeAll(async () => {
  const session = await service.session();
  first = session.workspaceId;
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  await change("/developer/workspace", { name: "Harbour <Coffee>" });
  const created = await session.send("POST", "/developer/workspaces", { name: "Roastery" });
  second = ((await created.json()) as { id: string }).id;
});
beforeEach(() => switchTo(second));

const changes = routes.filter(([method]) => method === "POST");
const addressOf = (path: string) =>
  `/dashboard${path.replace(/\/$/, "").replaceAll(/:\w+/g, () => crypto.randomUUID())}`;

describe("a form of the workspace that was switched away from", () => {
  const ofWorkspace = changes.filter(([, , , , options]) => options?.personal !== true);
  it.each(oneOfEach(ofWorkspace, ([, , permission]) => permission).map(([, path]) => path))(
    "changes nothing at %s",
    async (path) => {
      const before = await rowCounts();
      const answer = await browser.submit(addressOf(path), { name: "A name", workspaceId: first });
      expect(answer.status).toBe(409);
      const page = await answer.text();
      expect(page).toContain("<h1>You switched to Roastery in another tab</h1>");
      expect(page).toContain("This form belongs to Harbour &lt;Coffee&gt;. Nothing was changed.");
      expect(await rowCounts()).toEqual(before);
    },
  );

  it("is accepted where it is about the person", () => {
    const personal = changes.filter(([, , , , options]) => options?.personal === true);
    expect(personal.every(([, , permission]) => permission === "account")).toBe(true);
    expect(personal.map(([, path]) => path)).toContain("/workspaces/switch");
    expect(personal.map(([, path]) => path)).not.toContain("/settings/members/leave");
  });

  it("is sent again in its own workspace, with everything that was entered", async () => {
    await switchTo(first);
    const fields = fieldsOf(await pageAt(browser, "/dashboard/folders"));
    expect(fields.workspaceId).toBe(first);
    await switchTo(second);
    const refused = await browser.submit("/dashboard/folders", { ...fields, name: "Cafés" });
    const again = fieldsOf(await refused.text());
    expect(again).toEqual({ ...fields, name: "Cafés", switchBack: "yes" });
    const switched = await browser.submit("/dashboard/folders", again);
    expect([switched.status, switched.headers.get("location")]).toEqual([307, `${origin}/dashboard/folders`]);
    expect((await browser.submit("/dashboard/folders", again)).status).toBe(303);
    expect(await pageAt(browser, "/dashboard/folders")).toContain("Cafés");
    await switchTo(second);
    expect(await pageAt(browser, "/dashboard/folders")).not.toContain("Cafés");
  });

  it("keeps its entries if it has a file, which is chosen again", async () => {
    const logo = svgBytes("<svg/>");
    const answer = await browser.upload("/dashboard/settings/brand", {
      part: "logo",
      workspaceId: first,
      logo,
    });
    const page = await answer.text();
    expect(fieldsOf(page)).toEqual({ workspaceId: first, part: "logo", switchBack: "yes" });
    expect(page).toContain('<input type="file" name="logo" required');
  });

  it("is refused above the page when a script sends it for a part of the page", async () => {
    const answer = await browser.send(
      "POST",
      "/dashboard/templates/preview",
      { origin, "hx-request": "true" },
      new URLSearchParams({ workspaceId: first }),
    );
    expect([answer.status, answer.headers.get("hx-retarget")]).toEqual([409, "#refused"]);
    expect(await answer.text()).toContain("You switched to Roastery in another tab. This form belongs to");
  });
});

it("a form of a workspace that one has left is refused, without a way back", async () => {
  const other = await service.session();
  const answer = await browser.submit("/dashboard/folders", {
    name: "Cafés",
    workspaceId: other.workspaceId,
    switchBack: "yes",
  });
  expect(answer.status).toBe(409);
  const page = await answer.text();
  expect(page).toContain("<h1>You&#39;re in Roastery now</h1>");
  expect(page).toContain("a workspace that you&#39;re no longer a member of");
  expect(page).not.toContain("Switch back");
});

it("every form of a page names the page's workspace", async () => {
  for (const path of ["", "/codes/new", "/settings", "/settings/brand", "/developer/webhooks/new", "/bin"]) {
    const page = await pageAt(browser, `/dashboard${path}`);
    const forms = [...page.matchAll(/<form [^>]*method="post"[^>]*>(.{60})/gs)];
    expect(forms.length).toBeGreaterThan(0);
    for (const [, start] of forms) expect(start).toContain('<input type="hidden" name="workspaceId"');
  }
});
