import { beforeAll, expect, it } from "vitest";
import { AbuseReportList } from "../../../src/contract/resources/operations/abuse-reports.ts";
import { BlockedHostList } from "../../../src/contract/resources/operations/blocked-hosts.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, linksOf, pageAt } from "../../support/dashboard.ts";
import { signedInOperator } from "../../support/operator-pages.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
let operator: Browser;
let client: Client;

beforeAll(async () => {
  operator = await signedInOperator(service);
  client = await service.workspace();
});

/** Reports a code, and returns the path of the report's page. */
async function report(hash: string): Promise<string> {
  const body = new URLSearchParams({
    code: hash,
    reason: "phishing",
    details: "It asked for <b>my card</b>",
  });
  await service.fetch("/report", { method: "POST", body });
  const { items } = await service.operator.expect(200, AbuseReportList, "GET", "/operator/reports?limit=1");
  return `/operator/reports/${items[0]?.id}`;
}

const scan = async (hash: string) => (await service.scan(hash)).status;

it("lists abuse reports by status, and dismisses one with a note", async () => {
  expect(await pageAt(operator, "/operator/reports")).toContain("No open reports");
  const { hash } = await client.createQr();
  const path = await report(hash);
  expect(linksOf(await pageAt(operator, "/operator/reports"), "name")).toEqual([path]);
  const page = await pageAt(operator, path);
  expect(page).toContain("It asked for &lt;b&gt;my card&lt;/b&gt;");
  expect(page).toContain(`<a href="/operator/workspaces/${client.workspaceId}">Test</a>`);
  const saved = await operator.submit(path, { decision: "dismiss", note: "Our own test" });
  expect([saved.status, await scan(hash)]).toEqual([303, 302]);
  expect(await pageAt(operator, "/operator/reports")).toContain("Abuse report dismissed.");
  expect(linksOf(await pageAt(operator, "/operator/reports?status=dismissed"), "name")).toEqual([path]);
  expect(fieldsOf(await pageAt(operator, path))).toMatchObject({ decision: "dismiss", note: "Our own test" });
  await pageAt(operator, "/operator/reports/unknown", 404);
});

it("suspends what was reported, only with a reason", async () => {
  const { hash } = await client.createQr();
  const path = await report(hash);
  for (const [fields, problem] of [
    [{}, "Choose what to do."],
    [{ decision: "suspend", reason: "", note: "Kept" }, "Enter a reason."],
    [{ decision: "dismiss", note: "x".repeat(2001) }, "Use at most 2000 characters."],
  ] as const) {
    const refused = await operator.submit(path, fields);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(problem);
  }
  expect(await scan(hash)).toBe(302);
  const fields = { decision: "suspend", reason: "Phishing", legalOrder: "on", note: "" };
  expect((await operator.submit(path, fields)).status).toBe(303);
  expect(await scan(hash)).toBe(451);
  expect(await pageAt(operator, path)).toContain("Suspended: code");
});

it("lists what is suspended, and suspends and lifts by address", async () => {
  const code = await client.createQr();
  const content = { title: "Prize draw", blocks: [{ type: "text", text: "Win" }] };
  const session = await service.sessionIn(client.workspaceId);
  const page = await session.expect(201, Page, "POST", "/developer/pages", content);
  const { scanOrigin } = service.deps.settings;
  const find = (subject: string) =>
    operator.open(`/operator/suspensions/find?${new URLSearchParams({ subject })}`);
  for (const [subject, problem] of [
    ["", "Enter a short link, page or domain."],
    ["example.com/unknown9", "Nothing has this address."],
    ["//", "Nothing has this address."],
  ] as const) {
    const refused = await find(subject);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(problem);
  }
  for (const [subject, path, destination, reason] of [
    [code.scanUrl, `/operator/codes/${code.id}/suspend`, "https://example.com/", "Spam from Rome"],
    [`${scanOrigin}/pages/${page.id}?x`, `/operator/pages/${page.id}/suspend`, page.url, "Fraud"],
  ] as const) {
    expect((await find(subject)).headers.get("location")).toMatch(new RegExp(`${path}$`));
    const form = await pageAt(operator, path);
    expect(form).toContain(`<code>${destination}</code>`);
    expect(form).toContain(`<a href="/operator/workspaces/${client.workspaceId}">Test</a>`);
    expect((await operator.submit(path, { reason: "" })).status).toBe(400);
    expect((await operator.submit(path, { reason })).status).toBe(303);
  }
  await service.operator.send("PUT", `/operator/workspaces/${client.workspaceId}/suspension`, {
    reason: "Order 12",
    legalOrder: true,
  });
  await service.scan(code.hash);
  const list = await pageAt(operator, "/operator/suspensions");
  for (const text of [
    "Scans while suspended",
    code.hash,
    "Spam from Rome",
    "Prize draw",
    "Fraud",
    "Order 12",
    "Legal order (451)",
  ]) {
    expect(list).toContain(text);
  }
  const lifts = [`codes/${code.id}`, `pages/${page.id}`, `workspaces/${client.workspaceId}`];
  for (const subject of lifts) {
    expect(list).toContain(`action="/operator/${subject}/lift"`);
    expect((await operator.submit(`/operator/${subject}/lift`, {})).status).toBe(303);
  }
  expect(await scan(code.hash)).toBe(302);
  const after = await pageAt(operator, "/operator/suspensions");
  for (const text of ["Spam from Rome", "Fraud", "Order 12"]) expect(after).not.toContain(text);
});

it("blocks and unblocks hosts, and says how many codes lead there", async () => {
  const path = "/operator/blocked-hosts";
  expect(await pageAt(operator, path)).toContain("No blocked hosts");
  await client.createQr({ data: { type: "url", url: "https://shop.phishing.example/login" } });
  const refused = await operator.submit(path, { host: "https://phishing.example/", reason: "Reported" });
  expect(refused.status).toBe(400);
  const form = await refused.text();
  expect(form).toContain("must be a host name such as shop.example");
  expect(fieldsOf(form)).toEqual({ host: "https://phishing.example/", reason: "Reported" });
  const blocked = await operator.submit(path, { host: "Phishing.example", reason: "Reported <twice>" });
  expect(blocked.status).toBe(200);
  const page = await blocked.text();
  expect(page).toContain("1 code leads there and still works.");
  expect(page).toContain("Reported &lt;twice&gt;");
  const { items } = await service.operator.expect(200, BlockedHostList, "GET", "/operator/blocked-hosts");
  expect(items.map(({ host }) => host)).toEqual(["phishing.example"]);
  expect((await operator.submit(`${path}/${items[0]?.id}/unblock`, {})).status).toBe(303);
  expect((await operator.submit(`${path}/${items[0]?.id}/unblock`, {})).status).toBe(404);
  expect(await pageAt(operator, path)).toContain("No blocked hosts");
});

it("lists dead letters by queue, and retries one or a queue's", async () => {
  const path = "/operator/dead-letters";
  expect(await pageAt(operator, path)).toContain("No dead letters");
  const body = { task: "<odd>" };
  await service.consume("prints-dead", [{ id: "a", body }]);
  await service.consume("deliveries-dead", [
    { id: "b", body },
    { id: "c", body },
  ]);
  const all = await pageAt(operator, path);
  expect(all.match(/dead-letters\/[\w-]{36}\/retry/g)).toHaveLength(3);
  expect(all).toContain("{&quot;task&quot;:&quot;&lt;odd&gt;&quot;}");
  const prints = await pageAt(operator, `${path}?queue=prints`);
  const [retry = ""] = prints.match(/\/operator\/dead-letters\/[\w-]{36}\/retry/) ?? [];
  expect((await operator.submit(retry, {})).status).toBe(303);
  expect((await operator.submit(retry, {})).status).toBe(404);
  expect(await pageAt(operator, `${path}?queue=prints`)).toContain("No dead letters");
  expect((await operator.submit(`${path}/retry`, { queue: "odd" })).status).toBe(400);
  expect((await operator.submit(`${path}/retry`, { queue: "deliveries" })).status).toBe(303);
  expect(await pageAt(operator, path)).toContain("No dead letters");
});
