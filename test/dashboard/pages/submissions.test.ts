import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { type Page, SubmissionList } from "../../../src/contract/resources/pages.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import { setFormClosed } from "../../../src/domain/pages/pages.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { fillIn, makePage } from "../../support/hosted-pages.ts";
import { Service, type SessionClient } from "../../support/service.ts";

const service = new Service({
  ...new Service().deps,
  submissionLimit: { limit: async () => ({ success: true }) },
});
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;
let session: SessionClient;
let page: Page;
let path: string;

const form = {
  fields: [
    { type: "text", name: "name", label: "Your name" },
    { type: "checkbox", name: "news", label: "News" },
  ],
};

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
  session = await service.sessionIn(me.client.workspaceId);
  page = await makePage({ client: me.client, session }, { form });
  path = `/dashboard/pages/${page.id}/submissions`;
});

const names = async (): Promise<unknown[]> =>
  (
    await session.expect(200, SubmissionList, "GET", `/developer/pages/${page.id}/submissions?limit=200`)
  ).items.map(({ fields }) => fields.name);

async function fill(...answers: string[]): Promise<void> {
  for (const name of answers) await fillIn(service, page, { name });
}

/** Puts submissions into the ledger directly, the first as the oldest. */
async function insert(count: number, nameOf: (i: number) => string): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `01900000-${i.toString(16).padStart(4, "0")}-7000-8000-000000000000`,
    fields: JSON.stringify({ name: nameOf(i) }),
  }));
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(me.client.workspaceId));
  await runInDurableObject(ledger, (_, { storage: { sql } }) => {
    sql.exec(
      `INSERT INTO submissions (id, page_id, fingerprint, fields)
       SELECT value->>'id', ?, value->>'id', value->>'fields' FROM json_each(?)`,
      page.id,
      JSON.stringify(rows),
    );
    sql.exec("INSERT INTO submission_counts (page_id, submissions) VALUES (?, ?)", page.id, count);
    sql.exec("INSERT INTO submission_fields (page_id, name) VALUES (?, 'name')", page.id);
  });
}

describe("the submissions of a page", () => {
  it("are a table with a column for each present and former field, and shown in full", async () => {
    expect(await pageAt(browser, path)).toContain("No submissions yet");
    await fill(markup);
    const change = { form: { fields: [{ type: "email", name: "email", label: "Email" }] } };
    await session.send("PATCH", `/developer/pages/${page.id}`, change);
    const table = await pageAt(browser, path);
    const heads = [...table.matchAll(/<th scope="col">([^<]*)<\/th>/g)].map(([, text]) => text);
    expect(heads).toEqual(["Time (UTC)", "Email", "name (former field)", "news (former field)"]);
    expect(table).toContain("&lt;img src=x");
    expect(table).not.toContain("<img src=x");
    const [one = ""] = linksOf(table, "time");
    const shown = await pageAt(browser, one);
    expect(shown).toContain("&lt;img src=x");
    expect(shown).toContain("<dd>No</dd>");
    const answer = await browser.open(one);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    await pageAt(browser, `${path}/unknown`, 404);
    const stranger = await signedIn(service);
    for (const each of [path, one, `${path}/export`]) await pageAt(stranger.browser, each, 404);
  });

  it("are searched regardless of case, page by page, and exported as found", async () => {
    await insert(bounds.searchedSubmissions + 2, (i) => (i === 0 ? "ÉMILE" : `Ada ${i}`));
    const first = await pageAt(browser, `${path}?q=%C3%A9mile`);
    expect(first).toContain("No results so far");
    const next = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(await pageAt(browser, next)).toContain("ÉMILE");
    expect(await pageAt(browser, `${path}?q=ADA+5001`)).toContain("Ada 5001");
    const csv = await browser.open(`${path}/export?q=%C3%A9mile&format=csv`);
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="submissions.csv"');
    expect((await csv.text()).trim().split("\r\n").slice(1).join()).toContain("ÉMILE");
    const ndjson = await (await browser.open(`${path}/export?format=ndjson`)).text();
    expect(ndjson.trim().split("\n")).toHaveLength(bounds.searchedSubmissions + 2);
    const tooLong = await pageAt(browser, `${path}?q=${"x".repeat(501)}`, 400);
    expect(tooLong).toContain("Use at most 500 characters");
  });

  it("are erased one by one, the chosen ones, those that match, and all", async () => {
    await fill("Ada", "Grace", "ada two", "Alan", "Edsger");
    await setFormClosed(service.deps, serviceContext(session.workspaceId, "business"), page.id, true);
    expect(await pageAt(browser, path)).toContain("This page&#39;s form is closed");
    const times = linksOf(await pageAt(browser, path), "time");
    const ids = times.map((address) => address.split("/").at(-1) ?? "");
    const confirm = async (address: string, question: string) => {
      const asked = await pageAt(browser, address);
      expect(asked).toContain(question);
      expect(asked).toContain("can&#39;t be restored");
      const answer = await browser.submit(address, fieldsOf(asked));
      expect(answer.status).toBe(303);
      return answer.headers.get("location");
    };
    expect(await pageAt(browser, `${path}/erase`)).toContain("No submissions selected");
    const one = await pageAt(browser, times[0] ?? "");
    expect(one).toContain(`${path}/erase?id=${ids[0]}`);
    await confirm(`${path}/erase?id=${ids[0]}`, "Erase 1 submission?");
    expect(await names()).toEqual(["Alan", "ada two", "Grace", "Ada"]);
    const after = await pageAt(browser, path);
    expect(after).toContain("Submission erased");
    expect(after).not.toContain("This page&#39;s form is closed");
    await confirm(`${path}/erase?id=${ids[1]}&id=${ids[3]}&id=unknown`, "Erase 3 submissions?");
    expect(await names()).toEqual(["ada two", "Ada"]);
    await fill("Barbara");
    const asked = await pageAt(browser, `${path}/erase?all=on&q=ADA`);
    expect(asked).toContain("Erase all submissions that contain “ADA”?");
    await fill("Ada later");
    const fields = fieldsOf(asked);
    expect((await browser.submit(`${path}/erase?all=on&q=ADA`, fields)).status).toBe(303);
    expect(await names()).toEqual(["Ada later", "Barbara"]);
    await confirm(`${path}/erase?all=on`, "Erase all 2 submissions?");
    expect(await names()).toEqual([]);
    expect(await pageAt(browser, path)).toContain("No submissions yet");
  });

  it("of a large number are erased in parts", async () => {
    await insert(10_003, (i) => `Ada ${i}`);
    const address = `${path}/erase?all=on`;
    const asked = await pageAt(browser, address);
    expect(asked).toContain("Erase all 10,003 submissions?");
    const first = await browser.submit(address, fieldsOf(asked));
    const rest = first.headers.get("location")?.replace(service.deps.settings.appOrigin, "") ?? "";
    const again = await pageAt(browser, rest);
    expect(again).toContain("Erase again for the rest.");
    expect(again).toContain("Erase all 3 submissions?");
    const last = await browser.submit(rest, fieldsOf(again));
    expect(last.headers.get("location")).toBe(`${service.deps.settings.appOrigin}${path}`);
    expect(await names()).toEqual([]);
  });
});
