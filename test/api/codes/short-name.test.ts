import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Plan } from "../../../src/contract/plans.ts";
import { reservedNames } from "../../../src/contract/reserved-names.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { createQr } from "../../../src/domain/codes/codes.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import type { ServiceError } from "../../../src/domain/errors.ts";
import { eraseDeleted } from "../../../src/domain/operations/erasure.ts";
import { reportedHash } from "../../support/abuse-reports.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { HeldScans } from "../../support/scans/held-scans.ts";
import { type Client, emittedEvents, FakeClock, phone, Service } from "../../support/service.ts";
import { setSuspension } from "../../support/suspension.ts";
import { expectRefused } from "../../support/types.ts";
import { World } from "../../support/world/world.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const at = { service, clock };
let client: Client;
let foreign: Client;

beforeAll(async () => {
  client = await service.workspace();
  foreign = await service.workspace();
});
afterEach(() => {
  vi.useRealTimers();
});

const input = (hash: unknown) => ({
  qrType: "url",
  data: { type: "url", url: "https://example.com/" },
  hash,
});
const post = (hash: unknown, by: Client = client, headers?: Record<string, string>) =>
  by.send("POST", "/qr", input(hash), headers);
const taken = /^hash is taken. Choose another.$/;
const located = async (path: string, edge = service) => (await edge.scan(path)).headers.get("location");

describe("a chosen short name", () => {
  it("that a spreadsheet reads as a number or a date is pointed out", async () => {
    const warningOf = (answer: Response) => [answer.status, answer.headers.get("x-warnings")];
    const warned = expect.stringContaining("hash reads as a number or a date");
    expect(warningOf(await post("12345e12"))).toEqual([201, warned]);
    expect(warningOf(await post("1-mar-2026"))).toEqual([201, warned]);
    expect(warningOf(await post("table-2026-x"))).toEqual([201, null]);
    const put = await client.send("PUT", "/qr/by-external-id/W-1", input("20260301"));
    expect(warningOf(put)).toEqual([201, warned]);
  });

  it("is the code's, in its address, its event and every scan of it", async () => {
    const qr = await client.createQr({ hash: "summer-menu" });
    expect(qr).toMatchObject({
      hash: "summer-menu",
      scanUrl: `${service.deps.settings.scanOrigin}/summer-menu`,
    });
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
    const created = emittedEvents().filter(({ data }) => data.id === qr.id);
    expect(created).toMatchObject([{ kind: "qr.created", data: qr }]);
    const paths = ["summer-menu", "Summer-Menu", "SUMMER-MENU", "%53ummer-menu"];
    const scans = new HeldScans();
    const scanQueue = scans.queue;
    const edge = new Service({ scanQueue });
    for (const path of [
      ...paths,
      "summer-menu/",
      "summer-menu.",
      "Summer-Menu/?from=mail",
      "summer-menu%2E",
    ]) {
      expect([path, await located(path, edge)]).toEqual([path, "https://example.com/"]);
      const other = new Service({ scanQueue });
      expect([path, await located(path, other)]).toEqual([path, "https://example.com/"]);
    }
    await scans.deliver(service);
    const { stats } = await client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans`);
    expect(stats.total).toBe(16);
  });

  it.each(Plan.options)("on the plan %s needs Pro or Business", async (plan) => {
    const { workspaceId } = await service.workspace(plan);
    const hash = `on-plan-${plan}`;
    const body = { qrType: "url", data: { type: "url", url: "example.com" }, hash } as const;
    // Free and Starter have no secret keys either, so the test calls the domain function instead of the API.
    const attempt = createQr(service.deps, serviceContext(workspaceId, plan), body);
    if (plan === "pro" || plan === "business") expect((await attempt).hash).toBe(hash);
    else {
      const title = plan === "free" ? "Free" : "Starter";
      const message = `Your ${title} plan doesn't include chosen short names. Leave out hash, or upgrade.`;
      await expect(attempt).rejects.toMatchObject({ message, status: 402 } satisfies Partial<ServiceError>);
    }
  });

  it.each(["abcd", "0000", "----", "-a-1", "a".repeat(32), "look-ill", "hello-world-2031"])(
    "may be %s",
    async (hash) => {
      expect((await client.createQr({ hash })).hash).toBe(hash);
      expect(await located(hash, new Service())).toBe("https://example.com/");
    },
  );

  it.each(["", "abc", "a".repeat(33), "Menu", "my_menu", "menü", "a.svg", "a b c", "a/bc", "men%75"])(
    "may not be %j",
    async (hash) => {
      await expectRefused(
        await post(hash),
        /^hash must have 4 to 32 characters: letters a–z, digits and hyphens\.$/,
      );
    },
  );

  it("loses spaces and invisible characters around it, and names one inside", async () => {
    const hash = `menu-${crypto.randomUUID().slice(0, 8)}`;
    const stored = await post(`\u200b ${hash}\ufeff\n`);
    expect(Qr.parse(await stored.json()).hash).toBe(hash);
    await expectRefused(
      await post("me\u200bnu"),
      /^hash has an invisible character \(zero-width space, U\+200B\)/,
    );
  });

  it.each([7, ["menu"], {}])("may not be %j, which is no text", async (hash) => {
    await expectRefused(await post(hash), /^hash must be a string\.$/);
  });

  it("is refused from a publishable key", async () => {
    const shop = "https://shop.example";
    const widget = await service.client(client.workspaceId, ["qr:write"], "publishable", [shop]);
    await expectRefused(
      await post("from-a-widget", widget, { origin: shop }),
      /^hash can't be set with a publishable key\.$/,
    );
  });

  it("never changes, and can be sent back", async () => {
    const qr = await client.createQr({ hash: "sent-back" });
    expect(await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, qr)).toEqual(qr);
    for (const hash of ["another", "Sent-Back", "", qr.hash.slice(1)]) {
      await expectRefused(
        await client.send("PATCH", `/qr/${qr.id}`, { hash, name: "x" }),
        /^hash can't be changed\. It is sent-back\.$/,
      );
    }
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
  });
});

describe("a name of the service", () => {
  it.each(["healthz", "files", "assets", "join", "invite", "setup", "assign", "docs", "status"])(
    "%s is one of them, for a path to come",
    (name) => {
      expect(reservedNames).toContain(name);
    },
  );

  const isForm = (name: string) => /^[0-9a-z-]{4,32}$/.test(name);
  it.each(oneOfEach(reservedNames, (name) => `${isForm(name)}`))("%s can't be chosen", async (name) => {
    await expectRefused(
      await post(name),
      isForm(name) ? /^hash is reserved. Choose another.$/ : /^hash must have 4 to 32 /,
    );
  });

  let qr: Qr;
  beforeAll(async () => {
    qr = await client.createQr();
  });

  it.each(reservedNames)("%s is no scan, even if a code had it", async (name) => {
    await env.DB.prepare("UPDATE qr_codes SET hash = ? WHERE id = ?")
      .bind(name.replace(/\.(png|svg)$/, ""), qr.id)
      .run();
    const response = await service.fetch(`/${name}`, { headers: { "user-agent": phone } });
    expect(response.headers.get("location")).not.toBe("https://example.com/");
    expect(response.headers.get("etag")).toBeNull();
    expect(await response.text()).not.toContain("This code doesn't lead anywhere");
  });
});

describe("a hash that was used before", () => {
  it("is refused, by the same words for every owner and state", async () => {
    const own = await client.createQr({ hash: "taken-own" });
    const generated = await foreign.createQr();
    const theirs = await foreign.createQr({ hash: "taken-theirs" });
    const deleted = await foreign.createQr({ hash: "taken-deleted" });
    await foreign.send("DELETE", `/qr/${deleted.id}`);
    for (const { hash } of [own, generated, theirs, deleted]) await expectRefused(await post(hash), taken);
    clock.advance(31 * 24 * 60 * 60 * 1000);
    await eraseDeleted(service.deps);
    const erased = await env.DB.prepare("SELECT erased_at FROM qr_codes WHERE id = ?").bind(deleted.id);
    expect(await erased.first("erased_at")).not.toBeNull();
    await expectRefused(await post("taken-deleted"), taken);
    await expectRefused(await post("taken-deleted", foreign), taken);
  });

  it("goes to one of ten simultaneous requests", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post("ten-at-once")));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
  });
});

describe("a repeated request with an Idempotency-Key", () => {
  const once = (hash: string, key: string) => post(hash, client, { "idempotency-key": key });

  it("gets the first response, also of ten simultaneous ones", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => once("once-at-once", "chosen-1")));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(await (await once("once-at-once", "chosen-1")).json()).toEqual(bodies[0]);
    await expectRefused(await once("once-at-once", "chosen-2"), taken);
  });

  it("of another hash is refused, also at the same time, and creates nothing", async () => {
    const hashes = ["once-a", "once-b", "once-c"];
    const answers = await Promise.all(hashes.map((hash) => once(hash, "chosen-3")));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400)) {
      await expectRefused(
        answer,
        /^Idempotency-Key was already used with a different request. Use a new one.$/,
      );
    }
    const rows = env.DB.prepare("SELECT count(*) AS n FROM qr_codes WHERE hash LIKE 'once-_'");
    expect(await rows.first("n")).toBe(1);
  });

  it("with another body is refused for its Idempotency-Key, also at the same time", async () => {
    const bodies = ["One", "Two", "Three"].map((name) => ({ ...input("once-named"), name }));
    const headers = { "idempotency-key": "chosen-4" };
    const answers = await Promise.all(bodies.map((body) => client.send("POST", "/qr", body, headers)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400)) {
      await expectRefused(
        answer,
        /^Idempotency-Key was already used with a different request. Use a new one.$/,
      );
    }
  });
});

describe("a code with a chosen short name", () => {
  it("has an image, can be reported and suspended by its hash", async () => {
    const { scanUrl } = await client.createQr({ hash: "poster-42" });
    for (const format of ["svg", "png", "SVG"]) {
      expect([format, (await service.fetch(`/Poster-42.${format}`)).status]).toEqual([format, 200]);
    }
    for (const code of ["poster-42", "POSTER-42", `${scanUrl}/?x`]) {
      expect(await reportedHash(at, code)).toBe("poster-42");
    }
    const page = await service.fetch("/report?hash=poster-42");
    expect(await page.text()).toContain(`value="${scanUrl}"`);
    await setSuspension(at, "qr", "Poster-42");
    expect((await service.scan("poster-42")).status).toBe(403);
  });

  it("is followed at once at every edge, also where it was scanned before it existed", async () => {
    const world = new World(4);
    const [first] = world.edges;
    const owner = await (first?.service ?? service).workspace();
    const scanAll = () =>
      Promise.all(
        world.edges.map(async (edge) => {
          const headers = { "user-agent": phone };
          const response = await edge.service.fetch("/scanned-before", { cf: edge.cf, headers });
          return response.headers.get("location") ?? response.status;
        }),
      );
    const everywhere = <T>(outcome: T) => world.edges.map(() => outcome);
    expect(await scanAll()).toEqual(everywhere(404));
    const qr = await owner.createQr({ hash: "scanned-before" });
    expect(await scanAll()).toEqual(everywhere("https://example.com/"));
    // KV still answers at these edges that it has no such key.
    for (const edge of world.edges) world.restart(edge);
    expect(await scanAll()).toEqual(everywhere("https://example.com/"));
    for (const url of ["https://a.example/", "https://b.example/"]) {
      await owner.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url } });
      world.tick(1001);
      expect(await scanAll()).toEqual(everywhere(url));
      for (const edge of world.edges) world.restart(edge);
      expect(await scanAll()).toEqual(everywhere(url));
    }
    await owner.send("DELETE", `/qr/${qr.id}`);
    world.tick(1001);
    expect(await scanAll()).toEqual(everywhere(404));
  });
});
