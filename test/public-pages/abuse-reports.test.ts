import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import {
  AbuseReport,
  AbuseReportList,
  AbuseReportReason,
} from "../../src/contract/resources/operations/abuse-reports.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { withScript } from "../../src/lib/text/chinese.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { insertAbuseReport } from "../../src/store/operations/abuse-reports.ts";
import { languages, textsFor } from "../../src/ui/visitors/texts/catalogue.ts";
import { pageAt } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { Shown } from "../support/hosted-pages.ts";
import { signedInOperator } from "../support/operator-pages.ts";
import { type Client, FakeClock, origin, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
let networks = 0;

beforeAll(async () => {
  client = await service.workspace();
});
beforeEach(async () => {
  await env.DB.exec("DELETE FROM abuse_reports");
});

/** Sends the form, by default from a network of its own. */
function send(fields: Record<string, string>, from?: string, headers: Record<string, string> = {}) {
  networks += 1;
  const address = from ?? `2001:db8:${networks.toString(16)}::1`;
  // So that reports are ordered by their ids.
  clock.advance(1);
  return service.fetch("/report", {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/x-www-form-urlencoded",
      "cf-connecting-ip": address,
    },
    body: new URLSearchParams({ reason: "phishing", ...fields }).toString(),
  });
}

const list = (query = "") =>
  service.operator.expect(200, AbuseReportList.strict(), "GET", `/operator/reports${query}`);

const expectThanks = (response: Response) =>
  expect([response.status, response.headers.get("location")]).toEqual([303, "/report/sent"]);

describe("a report", () => {
  it("is stored with the code, its workspace and where it led then", async () => {
    const qr = await client.createQr({ data: { type: "url", url: "https://evil.example/login" } });
    const details = "It asked for my password.\r\nTwice.";
    expectThanks(await send({ code: qr.scanUrl, details, email: " ada@example.com " }));
    await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url: "https://innocent.example/" } });
    expect((await list()).items).toEqual([
      {
        id: expect.any(String),
        link: new URL(qr.scanUrl).host + new URL(qr.scanUrl).pathname,
        hash: qr.hash,
        qrId: qr.id,
        pageId: null,
        domain: null,
        workspaceId: client.workspaceId,
        destination: "https://evil.example/login",
        reason: "phishing",
        details: "It asked for my password.\nTwice.",
        email: "ada@example.com",
        status: "open",
        furtherReports: 0,
        otherReports: 0,
        note: null,
        suspended: [],
        createdAt: expect.any(String),
        decidedAt: null,
      },
    ]);
  });

  it("names a code as people type it", async () => {
    const { hash, scanUrl } = await client.createQr();
    const spellings = [hash, hash.toUpperCase(), ` ${scanUrl}/ `, `${scanUrl}?x=1#y`, scanUrl.slice(7)];
    for (const code of spellings) expectThanks(await send({ code }));
    expect((await list()).items.map((item) => item.hash)).toEqual(spellings.map(() => hash));
  });

  it("is about paused and deleted codes, too, and has every reason", async () => {
    const paused = await client.createQr({ data: { type: "url", url: "https://paused.example/" } });
    await client.send("PATCH", `/qr/${paused.id}`, { status: "paused" });
    const deleted = await client.createQr();
    await client.send("DELETE", `/qr/${deleted.id}`);
    for (const reason of AbuseReportReason.options) expectThanks(await send({ code: paused.hash, reason }));
    expectThanks(await send({ code: deleted.hash }));
    const { items } = await list();
    expect(items.map(({ reason }) => reason)).toEqual([
      "phishing",
      ...[...AbuseReportReason.options].reverse(),
    ]);
  });

  it("is about a contact or a hosted page, also one that was opened without a code", async () => {
    const session = await service.sessionIn(client.workspaceId);
    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P" });
    const shown = await client.createQr({
      qrType: "servicepage",
      data: { type: "servicepage", pageId: page.id },
    });
    const contact = await client.createQr({
      qrType: "vcard",
      data: { type: "vcard", firstName: "Ada" },
    });
    for (const fields of [{ code: contact.hash }, { code: shown.hash }, { page: page.id.toUpperCase() }]) {
      expectThanks(await send(fields as unknown as Record<string, string>));
    }
    const found = (await list()).items.map(({ hash, pageId, destination }) => [hash, pageId, destination]);
    expect(found).toEqual([
      [null, page.id, page.url],
      [shown.hash, page.id, page.url],
      [contact.hash, null, null],
    ]);
  });

  it("about an unknown code or page is answered alike, and not stored", async () => {
    const { hash } = await client.createQr();
    const known = await send({ code: hash });
    const unknown = [{ code: "00000000" }, { page: crypto.randomUUID() }, { page: "no page" }];
    for (const fields of unknown) {
      const answer = await send(fields as unknown as Record<string, string>);
      expect([answer.status, [...answer.headers]]).toEqual([known.status, [...known.headers]]);
    }
    expect((await list()).items).toHaveLength(1);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["code", { code: "?" }, /Enter the address of a code/],
    ["code", {}, /Enter the address of a code/],
    ["reason", { code: "00000000", reason: "dislike" }, /Choose one of the options/],
    ["details", { code: "00000000", details: "x".repeat(1001) }, /Use at most 1000 characters/],
    ["details", { code: "00000000", details: "a\0b" }, /This contains characters that can/],
    ["email", { code: "00000000", email: "nobody" }, /Enter an email address/],
  ])("with an invalid %s is shown again, with what was entered", async (field, fields, problem) => {
    const answer = await send({ details: 'Some "details" & <b>', ...fields });
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toMatch(problem);
    expect(html).toMatch(new RegExp(`problem-${field}"[^>]* autofocus`));
    if (field !== "details") expect(html).toContain("Some &quot;details&quot; &amp; &lt;b&gt;</textarea>");
  });

  it("is stored with no address, and of its sender only a short digest of the network until it is decided", async () => {
    const { hash } = await client.createQr();
    await send({ code: hash }, "203.0.113.77");
    const row = await env.DB.prepare("SELECT * FROM abuse_reports").first();
    expect(JSON.stringify(row)).not.toContain("203.0.113");
    expect(Object.keys(row ?? {}).filter((name) => /address|visitor|agent/.test(name))).toEqual([]);
    expect(row?.network).toMatch(/^[\da-f]{6}$/);
    await decide(String(row?.id), { decision: "dismissed" });
    expect(await env.DB.prepare("SELECT network FROM abuse_reports").first("network")).toBeNull();
  });

  it("is asked to come later where a network sends too many", async () => {
    const { hash } = await client.createQr();
    let answer = await send({ code: hash }, "2001:db8:ffff::1");
    // The limit of 10 is per clock minute, so up to 20 are accepted if a minute ends during the test.
    for (let i = 2; i < 22 && answer.status === 303; i += 1) {
      answer = await send({ code: hash }, `2001:db8:ffff::${i}`);
    }
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await answer.text()).toContain("Too many reports were sent from your network");
    expectThanks(await send({ code: hash }, "2001:db8:fffe::1"));
  });

  it("comes back with a request to send it again if it can't be stored", async () => {
    const { hash } = await client.createQr();
    const broken = new Service({ db: { withSession: () => env.DB } as unknown as D1Database });
    const answer = await broken.fetch("/report", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "cf-connecting-ip": "192.0.2.1" },
      body: new URLSearchParams({ code: hash, reason: "spam" }).toString(),
    });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await answer.text()).toContain(`value="${hash}"`);
  });

  it("beyond the first few of its code is only counted, until one is decided", async () => {
    const { hash } = await client.createQr();
    const other = await client.createQr();
    const { openPerCode } = limits.abuseReport;
    for (let i = 0; i < openPerCode + 3; i += 1) expectThanks(await send({ code: hash }));
    expectThanks(await send({ code: other.hash }));
    expect(await stored(hash)).toEqual({ rows: openPerCode, further: 3, others: 0 });
    const { items } = await list(`?workspaceId=${client.workspaceId}&limit=2`);
    expect(items.map((item) => [item.hash, item.furtherReports])).toEqual([
      [other.hash, 0],
      [hash, 3],
    ]);
    await decide(items[1]?.id ?? "", { decision: "dismissed" });
    expectThanks(await send({ code: hash }));
    expect(await stored(hash)).toEqual({ rows: openPerCode + 1, further: 3, others: 0 });
  });

  it("takes the place of one of the network that sent most, at the bound of its code or workspace", async () => {
    const { openPerCode, openPerWorkspace } = limits.abuseReport;
    const { hash } = await client.createQr();
    const junk = (code: string, i: number) => send({ code, details: "junk" }, `2001:db8:bad:${i}::1`);
    const detailsOf = async (status = "open") =>
      (await list(`?workspaceId=${client.workspaceId}&status=${status}&limit=100`)).items.map(
        ({ details }) => details ?? "real",
      );
    for (let i = 0; i < openPerCode + 2; i += 1) expectThanks(await junk(hash, i));
    expect(await stored(hash)).toEqual({ rows: openPerCode, further: 2, others: 0 });
    for (let i = 0; i < openPerCode; i += 1) expectThanks(await send({ code: hash }));
    // Each of them was sent from a network of its own; the last one changes nothing.
    expect((await detailsOf()).toSorted()).toEqual(["junk", "real", "real", "real", "real"]);
    expect(await stored(hash)).toEqual({ rows: openPerCode, further: 7, others: 0 });

    await env.DB.exec("DELETE FROM abuse_reports");
    await open(client.workspaceId, openPerWorkspace);
    await env.DB.exec("UPDATE abuse_reports SET network = 'abcdef'");
    const another = await client.createQr();
    expectThanks(await send({ code: another.hash }));
    expect(await stored(another.hash)).toEqual({ rows: 1, further: 0, others: 0 });
    expect(await detailsOf()).toHaveLength(openPerWorkspace);
  });

  it("beyond the open ones of its workspace is only counted, by the newest of its code or of the workspace", async () => {
    const { openPerWorkspace } = limits.abuseReport;
    const [known, unknown] = [await client.createQr(), await client.createQr()];
    const elsewhere = await (await service.workspace()).createQr();
    await open(client.workspaceId, openPerWorkspace - 1);
    expectThanks(await send({ code: known.hash }));
    expectThanks(await send({ code: known.hash }));
    expectThanks(await send({ code: unknown.hash }));
    expectThanks(await send({ code: elsewhere.hash }));
    expect(await stored(known.hash)).toEqual({ rows: 1, further: 1, others: 1 });
    expect(await stored(unknown.hash)).toMatchObject({ rows: 0 });
    expect(await stored(elsewhere.hash)).toEqual({ rows: 1, further: 0, others: 0 });
    const [newest] = (await list(`?workspaceId=${client.workspaceId}&limit=1`)).items;
    expect(newest).toMatchObject({ hash: known.hash, furtherReports: 1, otherReports: 1 });
    const operator = await signedInOperator(service);
    expect(await pageAt(operator, "/operator")).toContain(`${openPerWorkspace + 1} abuse reports</a> wait `);
    const page = await pageAt(operator, "/operator/reports");
    expect(page).toContain("and 1 further report<");
    expect(page).toContain("1 report about others only counted");
    expect(await pageAt(operator, `/operator/reports/${newest?.id}`)).toContain("1, only counted because");
    await decide(newest?.id ?? "", { decision: "dismissed" });
    expectThanks(await send({ code: unknown.hash }));
    expect(await stored(unknown.hash)).toMatchObject({ rows: 1 });
  });

  it("beyond the open ones of the installation is only counted, also about a workspace without one", async () => {
    const { openInAll } = limits.abuseReport;
    const [first, second] = [await client.createQr(), await (await service.workspace()).createQr()];
    await open(crypto.randomUUID(), openInAll - 1);
    expectThanks(await send({ code: first.hash }));
    expectThanks(await send({ code: second.hash }));
    expect(await stored(first.hash)).toEqual({ rows: 1, further: 0, others: 1 });
    expect(await stored(second.hash)).toMatchObject({ rows: 0 });
    const total = await env.DB.prepare("SELECT count(*) AS rows FROM abuse_reports").first("rows");
    expect(total).toBe(openInAll);
  });

  it("costs no more where thousands are open", async () => {
    const { hash } = await client.createQr();
    await open(crypto.randomUUID(), 2000);
    let rowsRead = 0;
    const db = {
      prepare: env.DB.prepare.bind(env.DB),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.DB.batch(statements);
        rowsRead += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
        return results;
      },
    } as unknown as D1Database;
    const subject = {
      routeKey: hash,
      link: null,
      hash,
      qrId: null,
      pageId: null,
      workspaceId: client.workspaceId,
    };
    const told = { destination: null, reason: "spam", details: null, email: null, network: "abc" } as const;
    const now = clock.now();
    await insertAbuseReport(db, { ...subject, ...told, id: newId(now), createdAt: now }, limits.abuseReport);
    expect(rowsRead).toBeLessThan(40);
  });

  it("holds at most 7 KB", async () => {
    const { hash } = await client.createQr({
      data: { type: "url", url: `https://example.com/${"x".repeat(2028)}` },
    });
    const email = `${"漢".repeat(64)}@${"漢".repeat(63)}.${"漢".repeat(63)}.${"漢".repeat(60)}`;
    const code = `${"h.".repeat(280)}example/${hash}`;
    expectThanks(await send({ code, details: "漢".repeat(1000), email }));
    const row = await env.DB.prepare("SELECT * FROM abuse_reports WHERE hash = ?").bind(hash).first();
    const bytes = new TextEncoder().encode(Object.values(row ?? {}).join("")).length;
    expect(bytes).toBeGreaterThan(6000);
    expect(bytes).toBeLessThanOrEqual(7168);
  });
});

/** Stores open reports about other codes of a workspace. */
async function open(workspaceId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId(clock.now()));
  await env.DB.prepare(
    `INSERT INTO abuse_reports (id, route_key, hash, workspace_id, reason, created_at)
     SELECT value, value, value, ?2, 'spam', ?3 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), workspaceId, clock.now())
    .run();
}

/** Counts the stored reports about a code, and those only counted. */
const stored = (hash: string) =>
  env.DB.prepare(
    `SELECT count(*) AS rows, sum(further_reports) AS further, sum(other_reports) AS others
     FROM abuse_reports WHERE hash = ?`,
  )
    .bind(hash)
    .first();

const decide = (id: string, body: object) =>
  service.operator.expect(200, AbuseReport.strict(), "POST", `/operator/reports/${id}/decide`, body);

describe("the operator", () => {
  it("lists reports by status and workspace, in pages", async () => {
    const other = await service.workspace();
    const codes = [await client.createQr(), await other.createQr(), await client.createQr()];
    for (const { hash } of codes) {
      await send({ code: hash });
      clock.advance(1);
    }
    const [newest, middle, oldest] = (await list()).items;
    await decide(newest?.id ?? "", { decision: "acted_on" });
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
    expect(await ids("?status=open")).toEqual([middle?.id, oldest?.id]);
    expect(await ids("?status=acted_on")).toEqual([newest?.id]);
    expect(await ids(`?workspaceId=${client.workspaceId}`)).toEqual([newest?.id, oldest?.id]);
    expect(await ids(`?workspaceId=${client.workspaceId}&status=open`)).toEqual([oldest?.id]);
    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([
      newest?.id,
      middle?.id,
      oldest?.id,
    ]);
    const answer = await service.operator.send("GET", "/operator/reports?status=new");
    expect(await expectError(answer, 400, "invalid_input")).toMatch(/^status /);
  });

  it("decides a report, once or again", async () => {
    const { hash } = await client.createQr();
    await send({ code: hash });
    const [{ id } = { id: "" }] = (await list()).items;
    const dismissed = await decide(id, { decision: "dismissed", note: "Genuine" });
    expect(dismissed).toMatchObject({ status: "dismissed", note: "Genuine" });
    expect(dismissed.decidedAt).toBe(new Date(clock.now()).toISOString());
    clock.advance(1000);
    expect(await decide(id, { decision: "dismissed", note: "Genuine" })).toEqual(dismissed);
    const again = await decide(id, { decision: "acted_on" });
    expect(again).toMatchObject({ status: "acted_on", note: null });
    expect(again.decidedAt).toBe(new Date(clock.now()).toISOString());
  });

  it("keeps decided reports for 400 days, and open ones for 90", async () => {
    const { hash } = await client.createQr();
    await send({ code: hash });
    const [{ id } = { id: "" }] = (await list()).items;
    await decide(id, { decision: "dismissed" });
    await send({ code: hash });
    const days = (count: number) => count * 24 * 60 * 60_000;
    // The second report took a millisecond.
    clock.advance(days(90) - 1);
    await sweep(service.deps);
    expect((await list()).items.map(({ status }) => status)).toEqual(["open", "dismissed"]);
    clock.advance(2);
    await sweep(service.deps);
    expect((await list()).items.map(({ status }) => status)).toEqual(["dismissed"]);
    expect(await env.DB.prepare("SELECT open FROM abuse_report_count").first("open")).toBe(0);
    clock.advance(days(310) - 2);
    await sweep(service.deps);
    expect((await list()).items).toHaveLength(1);
    clock.advance(1);
    await sweep(service.deps);
    expect((await list()).items).toHaveLength(0);
  });
});

describe("the form", () => {
  it("names the code or page of its link, and no other text", async () => {
    const open = async (query: string) => (await service.fetch(`/report${query}`)).text();
    expect(await open("?hash=ABCDEFGH")).toContain(`value="${origin}/abcdefgh"`);
    const id = crypto.randomUUID();
    const page = await open(`?page=${id}`);
    expect(page).toContain(`name="page" value="${id}"`);
    expect(page).not.toContain('name="code"');
    for (const query of ["", "?hash=", "?hash=%22%3E%3Cscript%3E", "?page=%22%3E%3Cscript%3E"]) {
      expect(await open(query)).toMatch(/<input [^>]*name="code"[^>]* value=""/);
    }
  });

  it.each(languages)("is in the reader's language %s, with its problems and the thanks", async (language) => {
    const headers = { "accept-language": `${language}-XX, sv` };
    const { abuse, notSent, problems } = textsFor(language).texts;
    const open = async (path: string) => Shown.of(await service.fetch(path, { headers }));
    const shown = await open("/report");
    const { lang, dir } = shown.all("html")[0]?.attributes ?? {};
    expect([lang, dir]).toEqual([withScript(language), language === "ar" ? "rtl" : undefined]);
    expect([shown.texts("title"), shown.texts("h1"), shown.texts("legend"), shown.texts("button")]).toEqual([
      [abuse.title.code],
      [abuse.title.code],
      [abuse.reason],
      [abuse.send],
    ]);
    expect(shown.texts("label")).toEqual([
      abuse.code.label,
      ...AbuseReportReason.options.map((reason) => abuse.reasons[reason]),
      abuse.details.label,
      abuse.email.label,
    ]);
    expect((await open(`/report?page=${crypto.randomUUID()}`)).texts("h1")).toEqual([abuse.title.page]);
    expect((await open("/report/sent")).texts("p")).toEqual([abuse.sent.text, abuse.sent.advice]);
    const refused = await Shown.of(await send({ code: "?", email: "@", reason: "" }, undefined, headers));
    expect([refused.alert, refused.texts("title")]).toEqual([
      abuse.notices.invalid,
      [notSent(abuse.title.code)],
    ]);
    expect(refused.problems).toEqual({
      code: abuse.code.problem,
      reason: problems.option,
      email: problems.email,
    });
  });

  it("and the thanks run nothing, load no more than the icon and send to this service only", async () => {
    const icon = '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>';
    for (const path of ["/report", "/report/sent"]) {
      const response = await service.fetch(path);
      const html = await response.text();
      const styles = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? "";
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(styles)));
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'sha256-${digest.toBase64()}'; img-src 'self'; ` +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(html).toContain(icon);
      expect(html.replace(icon, "")).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|javascript:/i);
    }
  });

  it("is linked from every page that a scan can show", async () => {
    const session = await service.sessionIn(client.workspaceId);
    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P" });
    const create = (qrType: string, data: object) =>
      client.createQr({ qrType, data: { type: qrType, ...data } } as never);
    const paused = await client.createQr();
    await client.send("PATCH", `/qr/${paused.id}`, { status: "paused" });
    const hashes = [
      (await create("servicepage", { pageId: page.id })).hash,
      (await create("sms", { phone: "+4930901820" })).hash,
      (await create("email", { to: "ada@example.com" })).hash,
      paused.hash,
      "00000000",
    ];
    for (const hash of hashes) {
      expect(await (await service.scan(hash)).text()).toContain(`<a href="/report?hash=${hash}"`);
    }
    const direct = await (await service.fetch(`/pages/${page.id}`)).text();
    expect(direct).toContain(`<a href="/report?page=${page.id}"`);
    expect(await (await service.fetch("/no/such/path")).text()).not.toContain("/report");
  });
});
