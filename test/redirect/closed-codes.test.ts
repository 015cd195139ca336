import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { withScript } from "../../src/lib/text/chinese.ts";
import { languages, textsFor } from "../../src/ui/visitors/texts/catalogue.ts";
import type { ClosedCodeStatus } from "../../src/ui/visitors/texts/texts.ts";
import { Shown } from "../support/hosted-pages.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { setSuspension } from "../support/suspension.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;

const fail = () => {
  throw new Error("D1 is down");
};
const unreadable = { prepare: fail, batch: fail, withSession: fail } as unknown as D1Database;
const day = 86_400_000;
const at = (days: number) => new Date(clock.now() + days * day).toISOString();

/** A code in each state in which a scan leads nowhere. */
const makers: Readonly<Record<ClosedCodeStatus, () => Promise<Qr>>> = {
  missing: async () => ({ ...(await client.createQr()), hash: "00000000" }),
  paused: () => client.createQr({ status: "paused" }),
  notStarted: () => client.createQr({ startsAt: at(1) }),
  expired: () => client.createQr({ startsAt: at(-2), expiresAt: at(-1) }),
  suspended: async () => {
    const qr = await client.createQr();
    await setSuspension({ service, clock }, "qr", qr.id, {
      reason: "Reported as phishing",
      legalOrder: false,
    });
    return qr;
  },
};
const states = Object.keys(makers) as ClosedCodeStatus[];
const codes = new Map<ClosedCodeStatus, Qr>();

beforeAll(async () => {
  client = await service.workspace();
  for (const state of states) codes.set(state, await makers[state]());
});

const open = async (state: ClosedCodeStatus, language: string): Promise<Shown> =>
  Shown.of(await service.scan(codes.get(state)?.hash ?? "", { "accept-language": language }));

describe.each(states)("a scan of a code that is %s", (state) => {
  it.each(languages)("is answered in the scanner's language %s", async (language) => {
    const shown = await open(state, `${language};q=0.8, sv`);
    const { codes: texts, reportCode } = textsFor(language).texts;
    expect(shown.status).toBe(state === "suspended" ? 403 : 404);
    const { title, text } = texts[state];
    expect([shown.texts("title"), shown.texts("h1"), shown.texts("p")]).toEqual([
      [title],
      [title],
      state === "suspended" ? [text] : [text, reportCode],
    ]);
    const attributes = shown.all("html")[0]?.attributes;
    expect([attributes?.lang, attributes?.dir]).toEqual([
      withScript(language),
      language === "ar" ? "rtl" : undefined,
    ]);
  });

  it("is answered in English for other languages, and never cached", async () => {
    const response = await service.scan(codes.get(state)?.hash ?? "", { "accept-language": "sv" });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await Shown.of(response)).all("html")[0]?.attributes.lang).toBe("en");
  });
});

describe.each(languages)("in the scanner's language %s", (language) => {
  const headers = { "accept-language": language };
  const { noCode, unavailable } = textsFor(language).texts.codes;

  it.each(["/unknown+", "/no/such/path"])("%s is said to be no code's address", async (path) => {
    const shown = await Shown.of(await service.fetch(path, { headers }));
    expect([shown.status, shown.texts("h1"), shown.texts("p")]).toEqual([404, [noCode.title], [noCode.text]]);
    expect(shown.all("html")[0]?.attributes.lang).toBe(withScript(language));
  });

  it("a code that can't be looked up asks for another try", async () => {
    const broken = new Service({ db: unreadable });
    const response = await broken.scan("0000000a", headers);
    expect(response.headers.get("retry-after")).toBe("10");
    const shown = await Shown.of(response);
    expect([shown.status, shown.texts("h1"), shown.texts("p")]).toEqual([
      503,
      [unavailable.title],
      [unavailable.text],
    ]);
  });
});

it("names the state of the moment: a code starts, is paused and expires", async () => {
  const qr = await client.createQr({ startsAt: at(1), expiresAt: at(2) });
  const heading = async () => (await Shown.of(await service.scan(qr.hash))).texts("h1")[0];
  expect(await heading()).toBe("This code isn't active yet");
  clock.advance(1.5 * day);
  expect((await service.scan(qr.hash)).status).toBe(302);
  await client.send("PATCH", `/qr/${qr.id}`, { status: "paused" });
  expect(await heading()).toBe("This code is paused");
  await client.send("PATCH", `/qr/${qr.id}`, { status: "active" });
  clock.advance(day);
  expect(await heading()).toBe("This code has expired");
});
