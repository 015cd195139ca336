import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { AbuseReport, AbuseReportList } from "../../src/contract/resources/operations/abuse-reports.ts";
import type { Browser } from "../support/browser.ts";
import { BulkHarness } from "../support/bulk.ts";
import { pageAt } from "../support/dashboard.ts";
import { signedInOperator } from "../support/operator-pages.ts";
import type { Client } from "../support/service.ts";

const harness = new BulkHarness();
const { clock, service } = harness;
const host = "go.acme.example";
let acme: Client;
/** Has a code with the short name that an alias of the other workspace ends with. */
let victim: Client;
let operator: Browser;
let reported: Qr;
let innocent: Qr;
let networks = 0;

beforeAll(async () => {
  [acme, victim] = [await service.workspace(), await service.workspace()];
  operator = await signedInOperator(service);
  await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: acme.workspaceId,
  });
  reported = await acme.createQr({
    aliases: [`${host}/menu`, `${host}/old/summer.html`],
    data: { type: "url", url: "https://phishing.example/" },
  });
  innocent = await victim.createQr({ hash: "menu" });
});

beforeEach(async () => {
  await env.DB.exec("DELETE FROM abuse_reports");
});

/** Sends the form for reports, from a network of its own. */
function send(code: string): Promise<Response> {
  // So that reports are ordered by their ids.
  clock.advance(1);
  networks += 1;
  const headers = { "cf-connecting-ip": `2001:db8:${networks.toString(16)}::1` };
  const body = new URLSearchParams({ code, reason: "phishing" });
  return service.fetch("/report", { method: "POST", headers, body });
}

/** Reports an address. @returns the newest report; undefined if none is stored */
async function report(code: string): Promise<AbuseReport | undefined> {
  expect((await send(code)).status).toBe(303);
  return (await service.operator.expect(200, AbuseReportList, "GET", "/operator/reports?limit=1")).items[0];
}

/** Returns where the operator is led by an address to suspend. */
const led = async (subject: string) => {
  const found = await operator.open(`/operator/suspensions/find?${new URLSearchParams({ subject })}`);
  return found.headers.get("location")?.replace(/^.*\/operator/, "") ?? found.status;
};

const statusAt = async (address: string) => (await service.fetch(`https://${address}`)).status;

describe("an address with the short name of another workspace's code", () => {
  it("is reported as the code and the host that answer there", async () => {
    for (const code of [
      `https://${host}/menu`,
      `${host.toUpperCase()}//menu?x#y`,
      `${host}:443/old/./summer.html`,
    ]) {
      const about = await report(code);
      expect([about?.workspaceId, about?.hash, about?.domain]).toEqual([
        acme.workspaceId,
        reported.hash,
        null,
      ]);
    }
    expect((await report(`http://${host}//menu`))?.link).toBe(`${host}/menu`);
    for (const code of [innocent.scanUrl, "MENU/", "menu", "https://printed.long.ago.example/menu"]) {
      const about = await report(code);
      expect([code, about?.workspaceId, about?.hash]).toEqual([code, victim.workspaceId, "menu"]);
    }
  });

  it("is suspended as the code that answers there, once the operator has seen whose it is", async () => {
    expect(await led(`https://${host}/menu`)).toBe(`/codes/${reported.id}/suspend`);
    expect(await led(innocent.scanUrl)).toBe(`/codes/${innocent.id}/suspend`);
    const form = await pageAt(operator, `/operator/codes/${reported.id}/suspend`);
    expect(form).toContain(`href="/operator/workspaces/${acme.workspaceId}"`);
    expect(form).toContain("<code>https://phishing.example/</code>");
  });

  it("names, in lists and tables, the code of the workspace that answers there", async () => {
    const found = async (client: Client, scanUrl: string) => {
      const answer = await client.send("GET", `/qr?${new URLSearchParams({ scanUrl })}`);
      return answer.status === 200
        ? QrList.parse(await answer.json()).items.map(({ id }) => id)
        : answer.status;
    };
    for (const address of [`https://${host}/menu`, `${host}/old/summer.html`, `${host}/${reported.hash}.`]) {
      expect([address, await found(acme, address)]).toEqual([address, [reported.id]]);
    }
    expect(await found(acme, innocent.scanUrl)).toEqual([]);
    expect(await found(victim, `https://${host}/menu`)).toBe(400);
    expect(await found(victim, "https://elsewhere.example/menu")).toBe(400);
    const misread = innocent.scanUrl.replace("menu", "MENU.svg");
    expect(await found(victim, misread)).toEqual([innocent.id]);
    const items = [{ scanUrl: `https://${host}/menu`, name: "Found" }];
    const ofVictim = await harness.run(victim, await harness.update(victim, { items }));
    expect(ofVictim.items.map(({ status }) => status)).toEqual(["failed"]);
    const ofAcme = await harness.run(acme, await harness.update(acme, { items }));
    expect(ofAcme.items.map(({ qrId }) => qrId)).toEqual([reported.id]);
  });

  it("is found in the dashboard's list and palette", async () => {
    const { cookie } = await service.sessionIn(acme.workspaceId);
    for (const path of [`/dashboard/codes?q=${host}/menu`, `/dashboard/go/results?q=${host}/menu`]) {
      const page = await service.fetch(path, { headers: { cookie } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(reported.id)]);
    }
  });
});

describe("a root of a domain, or a path there that no code has", () => {
  it("is about the domain, whose codes all stop if it is suspended", async () => {
    for (const code of [`https://${host}/`, host, `${host}/nothing/here`, `${host}/unknown-code`]) {
      const about = await report(code);
      expect([code, about?.domain, about?.hash, about?.workspaceId]).toEqual([
        code,
        host,
        null,
        acme.workspaceId,
      ]);
      expect(await led(code)).toBe(`/domains/${host}/suspend`);
    }
    const about = await report(host);
    const decision = { decision: "acted_on", suspend: { reason: "Phishing" } };
    const path = `/operator/reports/${about?.id}`;
    const decided = await service.operator.expect(200, AbuseReport, "POST", `${path}/decide`, decision);
    expect(decided.suspended).toEqual(["domain"]);
    expect(await statusAt(`${host}/menu`)).toBe(403);
    const list = await pageAt(operator, "/operator/suspensions");
    expect(list).toContain(`action="/operator/domains/${host}/lift"`);
    expect((await operator.submit(`/operator/domains/${host}/lift`, {})).status).toBe(303);
    expect(await statusAt(`${host}/menu`)).toBe(302);
  });

  it("stays out of reach once the host is another workspace's", async () => {
    const moving = "moving.acme.example";
    const give = (workspaceId: string) =>
      service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${moving}`, { workspaceId });
    await give(acme.workspaceId);
    const about = await report(moving);
    await service.operator.send("DELETE", `/operator/domains/${moving}`);
    await give(victim.workspaceId);
    const decision = { decision: "acted_on", suspend: { reason: "Phishing" } };
    const path = `/operator/reports/${about?.id}/decide`;
    expect((await service.operator.send("POST", path, decision)).status).toBe(404);
    expect(await statusAt(`${moving}/menu`)).toBe(302);
  });
});

it("asks again for an address that neither a code nor a page can have", async () => {
  for (const code of [
    "?",
    "two words",
    "someone@example.com",
    `${service.deps.settings.scanOrigin}/a/b`,
    "elsewhere.example/",
  ]) {
    expect([code, (await send(code)).status]).toEqual([code, 400]);
  }
});
