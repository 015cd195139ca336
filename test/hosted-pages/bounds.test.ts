import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import {
  fillIn,
  formToken,
  makeCodeOfPage,
  openCode,
  type PageMaker,
  pageMaker,
  Shown,
  sendForm,
} from "../support/hosted-pages.ts";
import { FakeClock, Service } from "../support/service.ts";

const closed = "This form is closed";
const form = { form: { fields: [{ type: "text", name: "name", label: "Your name" }] } };
const clock = new FakeClock();
const unlimited = { limit: async () => ({ success: true }) };
const service = new Service({ now: clock.now, submissionLimit: unlimited });

let maker: PageMaker;
let page: Page;
let hash: string;
beforeEach(async () => {
  maker = await pageMaker(service);
  const made = await makeCodeOfPage(maker, form);
  page = made.page;
  hash = made.qr.hash;
});

/** Counts submissions of the page as if they had been sent. The bound is kept by this count, not by their rows. */
async function countSubmissions(many: number): Promise<void> {
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(maker.client.workspaceId));
  await ledger.countScans();
  await runInDurableObject(ledger, (_, { storage: { sql } }) => {
    sql.exec("INSERT INTO submission_counts (page_id, submissions) VALUES (?, ?)", page.id, many);
  });
}

const read = () => maker.session.expect(200, Page, "GET", `/developer/pages/${page.id}`);
const send = (name: string, address = "203.0.113.1") =>
  sendForm(service, page, { name }, { "cf-connecting-ip": address });
const hasForm = (shown: Shown) => shown.all("form").length > 0;

describe("a page with 100 000 submissions", () => {
  it("shows that its form is closed, at every edge and to its owner, until one is deleted", async () => {
    await countSubmissions(99_999);
    const other = new Service({ now: clock.now, submissionLimit: unlimited });
    expect(hasForm(await openCode(other, hash))).toBe(true);
    expect((await read()).formClosed).toBe(false);
    await fillIn(service, page, { name: "the last" });

    expect((await read()).formClosed).toBe(true);
    for (const each of [service, other]) {
      clock.advance(1001);
      const shown = await openCode(each, hash);
      expect([shown.status, hasForm(shown), shown.html.includes(closed)]).toEqual([200, false, true]);
    }
    const refused = await send("one too many");
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(closed);

    const path = `/developer/pages/${page.id}/submissions`;
    const { items } = await maker.session.expect(200, SubmissionList, "GET", path);
    expect(items[0]?.fields).toEqual({ name: "the last" });
    expect((await maker.session.send("DELETE", `${path}/${items[0]?.id}`)).status).toBe(200);
    expect((await read()).formClosed).toBe(false);
    clock.advance(1001);
    expect(hasForm(await openCode(other, hash))).toBe(true);
    expect((await send("again")).status).toBe(303);
  });

  it("closes its form with the next submission if the one that filled it could not", async () => {
    await countSubmissions(99_999);
    const failing = new Service({
      now: clock.now,
      submissionLimit: unlimited,
      db: new Proxy(env.DB, {
        get: (db, name) => {
          const value: unknown = Reflect.get(db, name);
          return name === "prepare" ? failUpdate(db) : typeof value === "function" ? value.bind(db) : value;
        },
      }),
    });
    const values = { _form: await formToken(service, page), name: "the last" };
    expect((await sendForm(failing, page, values)).status).toBe(503);
    expect((await read()).formClosed).toBe(false);
    expect((await sendForm(service, page, values)).status).toBe(303);
    expect((await read()).formClosed).toBe(true);
  });
});

/** A database in which pages can't be updated. */
const failUpdate = (db: D1Database) => (sql: string) => {
  if (/UPDATE pages\b/i.test(sql)) throw new Error("the database is down");
  return db.prepare(sql);
};

describe("a network", () => {
  it("can send 1000 forms a day to a page, and others still can", async () => {
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(maker.client.workspaceId));
    const there = { "cf-connecting-ip": "203.0.113.1" };
    expect((await send("first")).status).toBe(303);
    await runInDurableObject(ledger, (_, { storage: { sql } }) => {
      sql.exec("UPDATE submission_senders SET submissions = submissions + 998");
    });
    const second = { _form: await formToken(service, page), name: "second" };
    expect((await sendForm(service, page, second, there)).status).toBe(303);
    const refused = await send("third");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "86400"]);
    const shown = await Shown.of(refused);
    expect([shown.alert, shown.entered.get("name")]).toEqual([
      expect.stringContaining("from your network today"),
      "third",
    ]);
    expect((await sendForm(service, page, second, there)).status).toBe(303);
    expect((await send("other", "203.0.113.2")).status).toBe(303);
    const elsewhere = await makeCodeOfPage(maker, form);
    expect((await sendForm(service, elsewhere.page, { name: "third" }, there)).status).toBe(303);
    clock.advance(24 * 60 * 60 * 1000);
    expect((await send("fourth")).status).toBe(303);
    const left = await runInDurableObject(ledger, (_, { storage: { sql } }) =>
      sql.exec("SELECT submissions FROM submission_senders").toArray(),
    );
    expect(left).toEqual([{ submissions: 1 }]);
  });

  it("of IPv6 shares the limit of its /48, eight times as many", async () => {
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(maker.client.workspaceId));
    const elsewhere = await makeCodeOfPage(maker, form);
    const from = async (address: string) =>
      (await sendForm(service, elsewhere.page, { name: "here" }, { "cf-connecting-ip": address })).status;
    expect(await from("2001:db8:1:1::1")).toBe(303);
    expect(await from("2001:db8:1:2::1")).toBe(303);
    await runInDurableObject(ledger, (_, { storage: { sql } }) => {
      const of = "page_id = ? AND submissions = 2";
      sql.exec(`UPDATE submission_senders SET submissions = 7999 WHERE ${of}`, elsewhere.page.id);
    });
    expect([await from("2001:db8:1:3::1"), await from("2001:db8:1:4::1")]).toEqual([303, 429]);
    expect(await from("2001:db8:2:1::1")).toBe(303);
  });
});
