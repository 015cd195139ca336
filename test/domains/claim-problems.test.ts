import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { hasProof, releaseHost } from "../../src/domain/domains/claims.ts";
import { type Claimant, ClaimWorld, depsOf } from "../support/cloudflare/claimant.ts";
import { refusal } from "../support/cloudflare/hostnames.ts";
import type { CloudflareStandIn } from "../support/cloudflare-stand-in.ts";
import { endingWith } from "../support/runner/timers.ts";
import type { FakeClock } from "../support/service.ts";

const minute = 60_000;
const hour = 60 * minute;
const host = "go.acme.com";

let clock: FakeClock;
let cloudflare: CloudflareStandIn;
let deps: Deps;
let acme: Claimant;

beforeEach(() => {
  const world = new ClaimWorld(host);
  ({ clock, cloudflare, deps } = world);
  acme = world.claimant();
  cloudflare.dns.set("TXT", `_qr-owner.${host}`, "qr-owner=acme-token");
  cloudflare.dns.set("CNAME", host, cloudflare.target);
});

/** Advances the claim once the time for it has come. */
async function later(milliseconds: number) {
  clock.advance(milliseconds);
  return acme.advance();
}

describe("a problem of the customer's DNS is named", () => {
  it("a proxied zone elsewhere, which hides the CNAME", async () => {
    cloudflare.dns.set("CNAME", host);
    cloudflare.dns.proxy(host, "shops.elsewhere.net");
    expect(await acme.advance()).toMatchObject({ status: "pending", problem: "proxied_elsewhere" });
    // Behind the proxy, the CNAME leads here now. Only Cloudflare can see that.
    cloudflare.dns.proxy(host, cloudflare.target);
    expect(await acme.until("active")).toMatchObject({ problem: null });
  });

  it("CAA records of the nearest name that has some", async () => {
    cloudflare.dns.set("CAA", "acme.com", "issue digicert.com; policy=ev", "iodef mailto:it@acme.com");
    await acme.advance();
    expect(await later(2 * minute)).toMatchObject({
      problem: "certificate_refused",
      detail: "CAA of acme.com: digicert.com",
    });
    cloudflare.dns.set("CAA", "acme.com", "issue ;");
    expect(await later(2 * minute)).toMatchObject({ detail: "CAA of acme.com: no authority" });
    cloudflare.dns.set("CAA", "acme.com", "issue digicert.com", "issue letsencrypt.org");
    await acme.until("active");
    expect(acme.seen).toEqual(["pending: certificate_refused", "pending: certificate_pending", "active"]);
  });

  it("an _acme-challenge in the way", async () => {
    cloudflare.dns.set("CNAME", `_acme-challenge.${host}`, "challenges.elsewhere.net");
    await acme.advance();
    expect(await later(2 * minute)).toMatchObject({
      status: "pending",
      problem: "challenge_blocked",
      detail: `_acme-challenge.${host}: CNAME challenges.elsewhere.net`,
    });
    cloudflare.dns.set("CNAME", `_acme-challenge.${host}`);
    await acme.until("active");
  });

  it("addresses where Cloudflare wants a CNAME", async () => {
    cloudflare.dns.set("CNAME", host);
    cloudflare.dns.set("A", host, "104.16.100.1");
    await acme.advance();
    expect(await later(2 * minute)).toMatchObject({
      problem: "cname_missing",
      detail: "custom hostname does not CNAME to this zone.",
    });
  });

  it("name servers that fail, for the proof and for the host", async () => {
    cloudflare.dns.break(`_qr-owner.${host}`);
    expect(await acme.advance()).toMatchObject({ status: "unproved", problem: "dns_unreadable" });
    expect(await hasProof(deps, host, "acme-token")).toBe("unreadable");
    expect(cloudflare.requests()).toEqual([]);
    cloudflare.dns.break(`_qr-owner.${host}`, false);
    cloudflare.dns.break(host);
    expect(await acme.advance()).toMatchObject({ status: "pending", problem: "dns_unreadable" });
    cloudflare.dns.break(host, false);
    await acme.until("active");
  });
});

describe("a limit of the installation is named", () => {
  it.each([
    ["its own count", { inUse: async () => 100 }, 1000, 0],
    ["what the zone has", {}, 1000, 100],
    ["the zone's quota", {}, 0, 0],
  ])("by %s", async (_, options, quota, others) => {
    for (let i = 0; i < others; i += 1) cloudflare.hostnames.add(`${i}.other.org`);
    cloudflare.hostnames.quota = quota;
    const { checkAt, ...full } = await acme.advance(options);
    expect(full).toMatchObject({ status: "pending", problem: "installation_full", customHostnameId: null });
    expect(checkAt - clock.now()).toBe(hour);
    expect(cloudflare.hostnames.hosts).not.toContain(host);
    cloudflare.hostnames.quota = 1000;
    for (let i = 0; i < others; i += 1) cloudflare.hostnames.remove(`${i}.other.org`);
    clock.advance(hour);
    await acme.until("active");
  });

  it("by settings that are missing, a token that Cloudflare refuses, and the wrong zone", async () => {
    const broken = (changes: object | null) => {
      const { customHostnames, ...settings } = cloudflare.settings;
      const changed = changes === null ? null : { ...customHostnames, ...changes };
      return depsOf(clock, cloudflare, { ...settings, customHostnames: changed });
    };
    const found = async (changes: object | null) => {
      const { status, problem, detail, checkAt } = await acme.advance({}, broken(changes));
      return [status, problem, detail, (checkAt - clock.now()) / hour];
    };
    expect(await found(null)).toEqual([
      "pending",
      "installation_unready",
      "Custom hostnames aren't set up",
      1,
    ]);
    expect(await found({ token: "another-token" })).toEqual([
      "pending",
      "installation_unready",
      "Cloudflare refuses the token",
      1,
    ]);
    expect(await found({ zoneId: "f".repeat(32) })).toEqual([
      "pending",
      "installation_unready",
      "Cloudflare doesn't know the zone",
      1,
    ]);
    cloudflare.failNext("API", refusal(403, 1404, "No quota has been allocated for this zone."));
    expect(await acme.advance()).toMatchObject({ problem: "installation_unready" });
    await acme.until("active");
    // Printed codes need the host, so it isn't given up with the token.
    expect((await found({ token: "another-token" })).slice(0, 2)).toEqual(["active", "installation_unready"]);
    expect((await found({ zoneId: "f".repeat(32) })).slice(0, 2)).toEqual(["active", "installation_unready"]);
    await expect(releaseHost(broken(null), "an-id")).rejects.toThrow("aren't set up");
  });
});

describe("when Cloudflare fails", () => {
  it("a claim stays where it is and is taken up again", async () => {
    const invalid = new Response('{"success": true, "result": {"id": 7}}');
    const cut = new Response(`{"success": true, "result": "${"x".repeat(300_000)}"}`);
    const failures = [refusal(500, 1500, "Internal Server Error"), "network error", cut, invalid] as const;
    for (const failure of failures) {
      cloudflare.failNext("API", failure);
      expect(await acme.advance()).toMatchObject({ status: "pending", problem: "certificate_pending" });
      expect(acme.claim.customHostnameId).toBeNull();
    }
    await acme.until("active");
    for (const failure of ["network error", refusal(502, 1500, "Bad gateway")] as const) {
      cloudflare.failNext("API", failure);
      const { checkAt, ...progress } = await acme.advance();
      expect(progress).toMatchObject({ status: "active", problem: "installation_unready" });
      expect(checkAt - clock.now()).toBe(10 * minute);
    }
    cloudflare.failNext("API", "network error");
    await expect(releaseHost(deps, acme.claim.customHostnameId ?? "")).rejects.toThrow("didn't answer");
    expect(await acme.advance()).toMatchObject({ status: "active", problem: null });
  });

  it("it waits no longer than its time-outs", async () => {
    const hasty = depsOf(clock, cloudflare, {}, { startTimer: endingWith(AbortSignal.abort()) });
    cloudflare.failNext("DNS", "no answer");
    expect(await acme.advance({}, hasty)).toMatchObject({ status: "unproved", problem: "dns_unreadable" });
    await acme.until("active");
    cloudflare.failNext("API", "no answer");
    expect(await acme.advance({}, hasty)).toMatchObject({
      status: "active",
      detail: "Cloudflare didn't answer",
    });
  });

  it.each([
    [{ "retry-after": "900" }, 15 * minute],
    [{ "retry-after": "1" }, 2 * minute],
    [{ "retry-after": "1000000" }, hour],
    [{}, 5 * minute],
  ])("too many requests with %j are made up for after a while", async (headers, wait) => {
    cloudflare.failNext("API", refusal(429, 971, "Please wait", headers as Record<string, string>));
    const limited = await acme.advance();
    expect(limited).toMatchObject({ status: "pending", problem: "certificate_pending" });
    expect(limited.checkAt - clock.now()).toBe(wait);
    clock.advance(wait - 1);
    await acme.until("active");
  });

  it("asks nothing more while it is limited, for no claim", async () => {
    cloudflare.failNext("API", refusal(429, 971, "Please wait", { "retry-after": "300" }));
    await acme.advance();
    const from = cloudflare.log.length;
    clock.advance(299_000);
    expect(await acme.advance()).toMatchObject({ problem: "certificate_pending" });
    expect(cloudflare.requests(from)).toEqual([]);
    clock.advance(1000);
    await acme.advance();
    expect(cloudflare.requests(from)).not.toEqual([]);
  });

  it("more certificates than it orders in a minute come later", async () => {
    for (let i = 0; i < 15; i += 1) {
      cloudflare.dns.set("TXT", `_qr-owner.${i}.acme.com`, "qr-owner=acme-token");
      acme.claim = { ...acme.claim, host: `${i}.acme.com`, customHostnameId: null };
      await acme.advance();
    }
    acme.claim = { ...acme.claim, host, customHostnameId: null };
    const { checkAt } = await acme.advance();
    expect(cloudflare.log.at(-2)).toMatch(/^API POST custom_hostnames go\.acme\.com: 429/);
    clock.advance(checkAt - clock.now());
    await acme.until("active");
  });
});

describe("what Cloudflare waits for", () => {
  it("is checked again once its quick checks are over", async () => {
    cloudflare.dns.set("CNAME", host);
    await acme.advance();
    cloudflare.hostnames.readsPerStep = 1000;
    expect(await later(3 * hour)).toMatchObject({ problem: "cname_missing" });
    expect(cloudflare.requests().filter((line) => line.startsWith("API PATCH"))).toEqual([]);
    cloudflare.dns.set("CNAME", host, cloudflare.target);
    const { checkAt } = await acme.advance();
    expect(checkAt - clock.now()).toBe(10 * minute);
    expect(cloudflare.requests().filter((line) => line.startsWith("API PATCH"))).toHaveLength(1);
    cloudflare.hostnames.readsPerStep = 3;
    clock.advance(10 * minute);
    await acme.until("active", 30);
  });

  it("is started again where it timed out, by the method of whoever created it", async () => {
    cloudflare.hostnames.add(host, "moved", "validation_timed_out", "txt");
    await acme.until("active");
    expect(cloudflare.requests().filter((line) => /^API (POST|PATCH)/.test(line))).toEqual([
      expect.stringMatching(/^API PATCH .*: 202 pending, certificate pending_validation$/),
    ]);
  });

  it("isn't waited for where it is blocked", async () => {
    cloudflare.hostnames.add(host, "blocked");
    const { checkAt, ...progress } = await acme.advance();
    expect(progress).toMatchObject({ status: "pending", problem: "host_refused" });
    expect(checkAt - clock.now()).toBe(hour);
  });

  it("may not exist for a host, and says why in one short line", async () => {
    const message = `Not\n\u202Ethis ${"very ".repeat(60)}host`;
    cloudflare.failNext("API", ...[200, 200].map(() => emptyList()), refusal(400, 1407, message));
    const { problem, detail } = await acme.advance();
    expect(problem).toBe("host_refused");
    expect(detail).toMatch(/^Not this very [\w ]{170,}…$/);
    expect(detail).toHaveLength(200);
    cloudflare.dns.set("TXT", "_qr-owner.go.example.com", "qr-owner=acme-token");
    acme.claim = { ...acme.claim, host: "go.example.com" };
    expect(await acme.advance()).toMatchObject({
      problem: "host_refused",
      detail: "Custom hostnames ending in example.com are prohibited.",
    });
  });

  it("takes 18 requests for a deep host whose certificate is late", async () => {
    const deep = `${"a.".repeat(12)}acme.com`;
    cloudflare.dns.set("TXT", `_qr-owner.${deep}`, "qr-owner=acme-token");
    cloudflare.dns.set("A", deep, "104.16.100.1");
    cloudflare.hostnames.add(deep, "active", "pending_validation");
    acme.claim = { ...acme.claim, host: deep, customHostnameId: cloudflare.hostnames.add("old.acme.com") };
    cloudflare.hostnames.readsPerStep = 1000;
    clock.advance(hour);
    expect(await acme.advance()).toMatchObject({ problem: "certificate_pending" });
    // TXT, two of the hostname, two of the host and two of the target, ten of CAA, one of the challenge.
    expect(cloudflare.log.filter((line) => /^(DNS|API)/.test(line))).toHaveLength(18);
  });

  it("can have a name that is too long for a certificate's common name", async () => {
    const long = `${"a".repeat(60)}.acme.com`;
    cloudflare.dns.set("TXT", `_qr-owner.${long}`, "qr-owner=acme-token");
    cloudflare.dns.set("CNAME", long, cloudflare.target);
    acme.claim = { ...acme.claim, host: long };
    await acme.until("active");
  });
});

const emptyList = () =>
  Response.json({ success: true, errors: [], messages: [], result: [], result_info: { total_count: 0 } });
