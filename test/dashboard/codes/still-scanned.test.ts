import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { Deleted, type Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Domain, DomainVisits } from "../../../src/contract/resources/domains.ts";
import { eraseDeleted } from "../../../src/domain/operations/erasure.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import type { ScansMessage } from "../../../src/protocol/messages.ts";
import { answeredBy, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { FakeClock, phone, Service } from "../../support/service.ts";

const day = 86_400_000;
const path = "/dashboard/codes/still-scanned";
let clock: FakeClock;
let service: Service;
let me: SignedInBrowser;

/** Signs in again, since a session ends. */
async function signInAgain(): Promise<void> {
  const { cookie } = await service.sessionIn(me.client.workspaceId);
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
  me.browser.cookies.set(name, value);
}

/** A queue that is delivered at once. */
const scanQueue = {
  send: async (body: ScansMessage) => {
    expect((await service.consume("scans", [{ body }])).retryMessages).toEqual([]);
  },
} as unknown as Queue<ScansMessage>;

beforeEach(async () => {
  clock = new FakeClock();
  service = new Service({ now: clock.now, scanQueue });
  me = await signedIn(service);
});

const remove = ({ id }: Qr) => me.client.expect(200, Deleted, "DELETE", `/qr/${id}`);
const scan = async ({ hash }: Qr, times: number) => {
  for (let i = 0; i < times; i += 1) await service.scan(hash);
};
const textOf = (html: string) =>
  html
    .slice(html.indexOf("<main"))
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const textAt = async (address: string, status = 200) => textOf(await pageAt(me.browser, address, status));
const date = () => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" }).format(clock.now());

it("the overview names the codes that are still scanned, and links to their list", async () => {
  const names = ["Poster", "Flyer", "Menu", "Open", "Resumed"];
  const [poster, flyer, menu, open, resumed] = await Promise.all(
    names.map((name) => me.client.createQr({ name })),
  );
  if (!poster || !flyer || !menu || !open || !resumed) throw new Error("unreachable");
  expect(await textAt("/dashboard")).not.toContain("still scanned");
  expect(await textAt(path)).toContain("No such codes");
  await Promise.all([remove(poster), remove(flyer)]);
  for (const { id } of [menu, resumed]) await me.client.send("PATCH", `/qr/${id}`, { status: "paused" });
  await scan(poster, 3);
  await scan(flyer, 1);
  await scan(menu, 2);
  await scan(resumed, 4);
  await scan(open, 5);
  await me.client.send("PATCH", `/qr/${resumed.id}`, { status: "active" });
  const overview = await pageAt(me.browser, "/dashboard");
  expect(overview).toContain(`<a href="${path}">2 deleted and 1 paused codes are still scanned</a>`);
  const list = await textAt(path);
  expect(list).toMatch(/Poster .* Deleted 3 .* Menu .* Paused 2 .* Flyer .* Deleted 1 /);
  for (const name of ["Open", "Resumed"]) expect(list).not.toContain(name);
  expect(await textAt(`/dashboard/codes/${poster.id}`, 410)).toContain(
    `Scanned 3 times after it was deleted, most recently on ${date()}.`,
  );
  expect(await textAt(`/dashboard/codes/${menu.id}`)).toContain("Scanned 2 times while it was paused");
  expect(await textAt(`/dashboard/codes/${resumed.id}`)).not.toContain("while it was paused");
});

it("an erased code stays in the list under its short link, as long as it is scanned", async () => {
  const code = await me.client.createQr({ name: "Secret" });
  await me.client.createQr();
  await remove(code);
  clock.advance(31 * day);
  await eraseDeleted(service.deps);
  await signInAgain();
  await scan(code, 1);
  expect(await pageAt(me.browser, "/dashboard")).toContain("1 deleted code is still scanned");
  const list = await textAt(path);
  expect(list).toContain("Erased 1 ");
  expect(list).toContain(code.hash);
  expect(list).not.toContain("Secret");
  clock.advance(bounds.lately * day);
  await signInAgain();
  expect(await textAt(path)).toContain("No such codes");
});

it("a workspace sees its own alone, and pages go on where its ledger can't be read or doesn't know them", async () => {
  const code = await me.client.createQr({ status: "paused" });
  await scan(code, 1);
  const other = await signedIn(service);
  expect(textOf(await pageAt(other.browser, path))).toContain("No such codes");
  const ledger = () => env.LEDGERS.get(env.LEDGERS.idFromName(me.client.workspaceId));
  const replaced = (error: Error) =>
    new Service({
      now: clock.now,
      ledger: () =>
        new Proxy(ledger(), {
          get: (target, name) =>
            name === "closedCodes" || name === "domainVisits"
              ? () => Promise.reject(error)
              : Reflect.get(target, name),
        }),
    });
  const old = replaced(new TypeError('The RPC receiver does not implement the method "closedCodes".'));
  const away = replaced(Object.assign(new Error("overloaded"), { overloaded: true }));
  const read = async (from: Service) => textOf(await pageAt(answeredBy(from, me.browser), path));
  expect(await read(old)).toContain("No such codes");
  expect(await read(away)).not.toContain("No such codes");
});

it("visits of a domain's own address are counted on its page, and are no scans", async () => {
  const session = await service.sessionIn(me.client.workspaceId);
  const { id, host } = await session.expect(201, Domain, "POST", "/developer/domains", {
    host: "visits.localhost",
  });
  const code = await me.client.createQr({ domain: host });
  const visit = (address: string, headers: Record<string, string> = {}, method = "GET") =>
    service.fetch(`http://${host}${address}`, { method, headers: { "user-agent": phone, ...headers } });
  expect(await textAt(`/dashboard/domains/${id}`)).toContain("without a code, 0 times");
  await visit("/");
  clock.advance(40 * day);
  await signInAgain();
  for (let i = 0; i < 2; i += 1) await visit("/?from=poster");
  await visit("/", {}, "HEAD");
  await visit("/", { "user-agent": "Googlebot/2.1" });
  await visit("/", { "sec-purpose": "prefetch" });
  await visit("/nothing-here");
  await visit(`/${code.hash}`);
  const page = await textAt(`/dashboard/domains/${id}`);
  expect(page).toContain("without a code, 3 times, 2 of them in the last 30 days");
  const { from, ...visits } = await me.client.expect(
    200,
    DomainVisits,
    "GET",
    `/developer/domains/${id}/visits`,
  );
  expect(visits).toEqual({ total: 3, days: [...Array(bounds.lately - 1).fill(0), 2] });
  expect(from).toBe(new Date(clock.now() - (bounds.lately - 1) * day).toISOString().slice(0, 10));
  const scans = (await (await me.client.send("GET", `/qr/${code.id}/scans`)).json()) as {
    stats: { total: number };
  };
  expect(scans.stats.total).toBe(1);
});
