import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { OperatorWorkspaceDetails } from "../../../src/contract/resources/operations/operations.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, linksOf, pageAt } from "../../support/dashboard.ts";
import { signedInOperator } from "../../support/operator-pages.ts";
import { type Client, Service, type SessionClient } from "../../support/service.ts";

const service = new Service();
let operator: Browser;
let session: SessionClient;
let client: Client;
let path: string;

beforeAll(async () => {
  operator = await signedInOperator(service);
  session = await service.session("pro", null);
  client = await service.client(session.workspaceId);
  path = `/operator/workspaces/${session.workspaceId}`;
  await env.DB.prepare("UPDATE workspaces SET name = ?, name_folded = ? WHERE id = ?")
    .bind("Harbour <Coffee>", "HARBOUR <COFFEE>", session.workspaceId)
    .run();
  await env.DB.prepare("UPDATE users SET name = ?, email = ? WHERE id = ?")
    .bind("Ada", "ada@harbour.example", session.userId)
    .run();
});

const details = () =>
  service.operator.expect(
    200,
    OperatorWorkspaceDetails,
    "GET",
    `/operator/workspaces/${session.workspaceId}`,
  );

it("lists workspaces, and finds them by a part of the name", async () => {
  await service.workspace();
  const all = await pageAt(operator, "/operator/workspaces");
  expect(linksOf(all, "name")).toContain(path);
  const found = await pageAt(operator, "/operator/workspaces?q=harbour+%3Cc");
  expect(linksOf(found, "name")).toEqual([path]);
  expect(found).toContain("Harbour &lt;Coffee&gt;");
  expect(await pageAt(operator, "/operator/workspaces?q=nobody")).toContain("No results");
  await pageAt(operator, "/operator/workspaces?cursor=odd", 400);
});

it("shows a workspace with its people", async () => {
  const page = await pageAt(operator, path);
  for (const text of ["Harbour &lt;Coffee&gt;", "Ada", "ada@harbour.example", "Pro", session.workspaceId]) {
    expect(page).toContain(text);
  }
  await pageAt(operator, "/operator/workspaces/unknown", 404);
});

it("changes the plan", async () => {
  const form = await pageAt(operator, `${path}/plan`);
  expect(fieldsOf(form)).toEqual({ plan: "pro", requestsPerMinute: "", storedBytes: "" });
  const wrong = await operator.submit(`${path}/plan`, { plan: "pro", requestsPerMinute: "900" });
  expect(wrong.status).toBe(400);
  const text = await wrong.text();
  expect(text).toContain("Requests a minute can be raised only on the Business plan.");
  expect(fieldsOf(text)).toMatchObject({ plan: "pro", requestsPerMinute: "900" });
  expect((await operator.submit(`${path}/plan`, { plan: "gold" })).status).toBe(400);
  const saved = await operator.submit(`${path}/plan`, {
    plan: "business",
    requestsPerMinute: "900",
    storedBytes: "5000000",
  });
  expect(saved.status).toBe(303);
  expect(await details()).toMatchObject({ plan: "business", requestsPerMinute: 900, storedBytes: 5_000_000 });
  expect(fieldsOf(await pageAt(operator, `${path}/plan`))).toEqual({
    plan: "business",
    requestsPerMinute: "900",
    storedBytes: "5000000",
  });
});

it("suspends a workspace with a reason, and lifts that", async () => {
  const { hash } = await client.createQr();
  const refused = await operator.submit(`${path}/suspend`, { reason: " " });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Enter a reason.");
  expect((await service.scan(hash)).status).toBe(302);
  expect((await operator.submit(`${path}/suspend`, { reason: "Order 12", legalOrder: "on" })).status).toBe(
    303,
  );
  expect((await service.scan(hash)).status).toBe(451);
  const page = await pageAt(operator, path);
  expect(page).toContain("Order 12");
  expect(page).toContain("Suspended. Visitors see a neutral page.");
  expect((await operator.submit(`${path}/lift`, {})).status).toBe(303);
  expect((await service.scan(hash)).status).toBe(302);
  expect((await details()).suspended).toBeNull();
});

it("creates one-time links for new owners and for people of a workspace", async () => {
  const linkIn = async (fields: Record<string, string>) => {
    const answer = await operator.submit("/operator/sign-in-links", fields);
    return { status: answer.status, link: /value="([^"]*\/links\/\w{43})"/.exec(await answer.text())?.[1] };
  };
  const { appOrigin } = service.deps.settings;
  const owner = await linkIn({});
  expect(owner).toEqual({ status: 200, link: expect.stringMatching(`^${appOrigin}/dashboard/links/`) });
  expect(await pageAt(operator, owner.link?.slice(appOrigin.length) ?? "")).toContain(
    "Create your workspace",
  );
  const recovery = await linkIn({ userId: session.userId, workspaceId: session.workspaceId });
  expect(await pageAt(operator, recovery.link?.slice(appOrigin.length) ?? "")).toContain(
    "Replace your passkeys",
  );
  expect((await linkIn({ userId: "nobody" })).status).toBe(404);
});

it("says of a deleted workspace when its data is erased", async () => {
  const owner = await service.session();
  await owner.send("PATCH", "/developer/workspace", { name: "Closed shop" });
  await owner.send("POST", "/developer/workspace/deletion", { name: "Closed shop", codes: "stop" });
  expect(await pageAt(operator, "/operator/workspaces?q=closed")).toContain("Deleted, erased on ");
  const page = await pageAt(operator, `/operator/workspaces/${owner.workspaceId}`);
  expect(page).toMatch(/Its data is erased from \d+ \w+ \d{4} on. Until then, an owner can cancel that./);
});
