import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { type Claim, hasProof, recordsOf, releaseHost } from "../../src/domain/domains/claims.ts";
import { type Claimant, ClaimWorld, depsOf } from "../support/cloudflare/claimant.ts";
import type { CloudflareStandIn } from "../support/cloudflare-stand-in.ts";
import type { FakeClock } from "../support/service.ts";

const minute = 60_000;
const hour = 60 * minute;
const host = "go.acme.com";
const proofName = `_qr-owner.${host}`;

let clock: FakeClock;
let cloudflare: CloudflareStandIn;
let deps: Deps;
let claimant: (claim?: Partial<Claim>) => Claimant;

beforeEach(() => {
  const world = new ClaimWorld(host);
  ({ clock, cloudflare, deps } = world);
  claimant = (claim) => world.claimant(claim);
});

const depsWith = (settings: Partial<Deps["settings"]>): Deps => depsOf(clock, cloudflare, settings);
const prove = (token = "acme-token") => cloudflare.dns.set("TXT", proofName, `qr-owner=${token}`);
const point = () => cloudflare.dns.set("CNAME", host, cloudflare.target);

/** Returns a claimant whose host is active. */
async function active(): Promise<Claimant> {
  prove();
  point();
  const acme = claimant();
  await acme.until("active");
  return acme;
}

describe("a customer's own host", () => {
  it("goes from claimed to proved, created, pending, active and removed", async () => {
    const acme = claimant();
    expect(recordsOf(deps.settings, host, "acme-token")).toEqual([
      { type: "TXT", name: proofName, value: "qr-owner=acme-token" },
      { type: "CNAME", name: host, value: cloudflare.target },
    ]);
    cloudflare.note(`claimed: ${host}`);
    await acme.advance();
    expect(cloudflare.requests()).toEqual([]);

    cloudflare.note("acme sets the TXT record");
    prove();
    const proved = await acme.advance();
    expect(proved).toMatchObject({ status: "pending", problem: "cname_missing", provedAt: clock.now() });
    expect(cloudflare.hostnames.hosts).toEqual([host]);

    cloudflare.note("acme sets the CNAME record");
    point();
    const { checkAt, customHostnameId } = await acme.until("active");
    expect(checkAt - clock.now()).toBe(24 * hour);
    expect(acme.seen).toEqual([
      "unproved: txt_missing",
      "pending: cname_missing",
      "pending: certificate_pending",
      "active",
    ]);

    cloudflare.note("acme removes the domain");
    await releaseHost(deps, customHostnameId ?? "");
    expect(cloudflare.hostnames.hosts).toEqual([]);
    await releaseHost(deps, customHostnameId ?? "");
    expect(cloudflare.requests().filter((line) => line.startsWith("API POST"))).toHaveLength(1);
    expect(cloudflare.log.at(-1)).toMatch(/^API DELETE .*404 error 1436$/);
  });

  it("asks only DNS as long as the TXT record is missing or another's", async () => {
    point();
    const acme = claimant();
    expect(await acme.advance()).toMatchObject({ problem: "txt_missing", detail: null });
    cloudflare.dns.set("TXT", proofName, "v=spf1 -all", "qr-owner=ACME-TOKEN");
    expect(await acme.advance()).toMatchObject({
      status: "unproved",
      problem: "txt_differs",
      detail: "v=spf1 -all, qr-owner=ACME-TOKEN",
    });
    expect(cloudflare.log.filter((line) => !line.startsWith("—"))).toEqual([
      `DNS TXT ${proofName}: none`,
      `DNS TXT ${proofName}: "v=spf1 -all", "qr-owner=ACME-TOKEN"`,
    ]);
    cloudflare.dns.set("TXT", proofName, "v=spf1 -all", "qr-owner=acme-token");
    expect(await acme.advance()).toMatchObject({ status: "pending" });
  });

  it("asks less often the older the claim is", async () => {
    const acme = claimant();
    const interval = async () => (await acme.advance()).checkAt - clock.now();
    expect(await interval()).toBe(5 * minute);
    clock.advance(6 * hour);
    expect(await interval()).toBe(90 * minute);
    clock.advance(5 * 24 * hour);
    expect(await interval()).toBe(6 * hour);
    prove();
    expect(await interval()).toBe(2 * minute);
    clock.advance(6 * hour);
    expect(await interval()).toBe(hour);
  });

  it("isn't taken over by way of a CNAME left behind", async () => {
    const acme = await active();
    cloudflare.note("acme removes the domain and leaves the CNAME behind");
    await releaseHost(deps, acme.claim.customHostnameId ?? "");
    cloudflare.dns.set("TXT", proofName);
    const from = cloudflare.log.length;
    cloudflare.note("mallory claims go.acme.com");
    const mallory = claimant({ token: "mallory-token" });
    expect(await mallory.advance()).toMatchObject({ status: "unproved", problem: "txt_missing" });
    // Nor by a wildcard that leads to a name under Mallory's control.
    cloudflare.dns.set("CNAME", proofName, "proof.mallory.net");
    cloudflare.dns.set("TXT", "proof.mallory.net", "qr-owner=mallory-token");
    expect(await mallory.advance()).toMatchObject({
      status: "unproved",
      problem: "txt_differs",
      detail: "CNAME proof.mallory.net",
    });
    expect(cloudflare.requests(from)).toEqual([]);
    expect(cloudflare.hostnames.hosts).toEqual([]);
  });

  it("stays with the workspace that still proves it", async () => {
    await active();
    prove("other-token");
    const other = claimant({ token: "other-token" });
    const from = cloudflare.log.length;
    const mayTake = async () => (await hasProof(deps, host, "acme-token")) === false;
    cloudflare.dns.set("TXT", proofName, "qr-owner=acme-token", "qr-owner=other-token");
    expect(await other.advance({ mayTake })).toMatchObject({
      status: "unproved",
      problem: "held_by_another_workspace",
    });
    expect(cloudflare.requests(from)).toEqual([]);
    cloudflare.note("acme's record is gone");
    prove("other-token");
    expect(await other.advance({ mayTake })).toMatchObject({ status: "active", problem: null });
    expect(cloudflare.requests(from)).toEqual([
      expect.stringMatching(/^API GET custom_hostnames\?hostname=go\.acme\.com.*active, certificate active$/),
    ]);
  });

  it("stays proved without its TXT record, but comes no further", async () => {
    prove();
    const acme = claimant();
    const { provedAt } = await acme.advance();
    cloudflare.dns.set("TXT", proofName);
    cloudflare.hostnames.remove(host);
    point();
    clock.advance(hour);
    const from = cloudflare.log.length;
    expect(await acme.advance()).toMatchObject({ status: "pending", problem: "txt_missing", provedAt });
    expect(cloudflare.requests(from)).toEqual([]);
    prove();
    await acme.until("active");
  });
});

describe("a call that was interrupted", () => {
  it.each(["create", "get"])("is repeated without a second hostname (after %s)", async (step) => {
    prove();
    point();
    const acme = claimant();
    const before = acme.claim;
    if (step === "get") await acme.advance();
    await acme.advance();
    // The findings of the call were never stored.
    const again = claimant(before);
    await again.until("active");
    expect(cloudflare.hostnames.hosts).toEqual([host]);
    expect(cloudflare.requests().filter((line) => line.startsWith("API POST"))).toHaveLength(1);
    expect(again.claim.customHostnameId).toBe(acme.claim.customHostnameId);
  });

  it("isn't misled by the id of another host's hostname", async () => {
    prove();
    point();
    const other = cloudflare.hostnames.add("go.other.org", "active", "active");
    const acme = claimant({ customHostnameId: other });
    expect(await acme.advance()).toMatchObject({ status: "pending", problem: "certificate_pending" });
    expect(acme.claim.customHostnameId).not.toBe(other);
    expect(cloudflare.hostnames.hosts).toEqual(["go.other.org", host]);
  });

  it("may run twice at once", async () => {
    prove();
    point();
    const [one, other] = [claimant(), claimant()];
    await Promise.all([one.advance(), other.advance()]);
    expect(cloudflare.hostnames.hosts).toEqual([host]);
    expect(cloudflare.requests().some((line) => line.includes("409 error 1406"))).toBe(true);
    expect(other.claim.customHostnameId).toBe(one.claim.customHostnameId);
  });
});

describe("an active host", () => {
  it("stays active and shows that DNS leads elsewhere, until it leads here again", async () => {
    const acme = await active();
    const daily = async () => {
      clock.advance(24 * hour);
      const { status, problem, detail, checkAt } = await acme.advance();
      return [status, problem, detail, (checkAt - clock.now()) / hour];
    };
    expect(await daily()).toEqual(["active", null, null, 24]);
    cloudflare.dns.set("CNAME", host, "shops.elsewhere.net");
    expect(await daily()).toEqual(["active", "cname_elsewhere", "CNAME shops.elsewhere.net", 1]);
    cloudflare.dns.set("CNAME", host);
    expect(await daily()).toEqual(["active", "cname_missing", null, 1]);
    cloudflare.dns.set("A", host, "198.51.100.7", "104.16.100.1");
    expect(await daily()).toEqual(["active", "cname_elsewhere", "A 198.51.100.7", 1]);
    cloudflare.dns.set("A", host, "104.16.100.1");
    expect(await daily()).toEqual(["active", null, null, 24]);
    cloudflare.dns.break(host);
    expect(await daily()).toEqual(["active", "dns_unreadable", null, 1]);
    cloudflare.dns.break(host, false);
    cloudflare.hostnames.change(host, { certificate: "pending_validation" });
    cloudflare.dns.set("CAA", host, "issue digicert.com");
    point();
    expect(await daily()).toEqual(["active", "certificate_refused", `CAA of ${host}: digicert.com`, 1]);
    // The TXT record is only asked for while the host isn't active.
    expect(cloudflare.log.filter((line) => line.startsWith(`DNS TXT ${proofName}`))).toHaveLength(5);
  });

  it("is pending again once Cloudflare says that it has moved, and comes back", async () => {
    const acme = await active();
    cloudflare.dns.set("CNAME", host, "shops.elsewhere.net");
    cloudflare.hostnames.recheck();
    const moved = await acme.advance();
    expect(moved).toMatchObject({ status: "pending", problem: "cname_elsewhere" });
    expect(moved.checkAt - clock.now()).toBe(2 * minute);
    point();
    await acme.until("active");
    expect(cloudflare.requests().filter((line) => line.startsWith("API PATCH"))).toHaveLength(1);
  });

  it.each([
    ["moved", "proxied_elsewhere"],
    ["blocked", "host_refused"],
  ])("is pending again when it is %s though DNS leads here", async (status, problem) => {
    const acme = await active();
    cloudflare.hostnames.change(host, { status });
    expect(await acme.advance()).toMatchObject({ status: "pending", problem });
  });

  it("is created again when Cloudflare has deleted it, but only with its TXT record", async () => {
    const acme = await active();
    const { customHostnameId } = acme.claim;
    cloudflare.hostnames.remove(host);
    cloudflare.dns.set("TXT", proofName);
    expect(await acme.advance()).toMatchObject({ status: "pending", customHostnameId: null });
    expect(await acme.advance()).toMatchObject({ status: "pending", problem: "txt_missing" });
    expect(cloudflare.hostnames.hosts).toEqual([]);
    prove();
    await acme.until("active");
    expect(acme.claim.customHostnameId).not.toBe(customHostnameId);
  });

  it("of the operator's own zone is only looked up in DNS", async () => {
    const own = claimant({ status: "active", provedAt: clock.now() });
    expect(await own.advance()).toMatchObject({ status: "active", problem: "cname_missing" });
    cloudflare.dns.set("A", host, "172.67.1.2");
    cloudflare.dns.set("AAAA", host, "2606:4700:3030::6815:1");
    expect(await own.advance()).toMatchObject({ status: "active", problem: null });
    cloudflare.dns.set("A", host, "198.51.100.7");
    expect(await own.advance()).toMatchObject({
      problem: "cname_elsewhere",
      detail: "A 198.51.100.7, AAAA 2606:4700:3030::6815:1",
    });
    expect(cloudflare.requests()).toEqual([]);
  });
});

describe("in local development", () => {
  it("a host under .localhost needs no record and is active at once", async () => {
    const local = depsWith({ scanOrigin: "http://localhost:8787", customHostnames: null });
    const harbour = { host: "go.harbour.localhost", token: "harbour-token" };
    expect(recordsOf(local.settings, harbour.host, harbour.token)).toEqual([]);
    expect(await hasProof(local, harbour.host, harbour.token)).toBe(true);
    const held = claimant(harbour);
    expect(await held.advance({ mayTake: async () => false }, local)).toMatchObject({
      status: "unproved",
      problem: "held_by_another_workspace",
    });
    expect(await held.advance({}, local)).toMatchObject({ status: "active", provedAt: clock.now() });
    expect(await held.advance({}, local)).toMatchObject({ status: "active", problem: null });
    expect(cloudflare.log.filter((line) => !line.startsWith("—"))).toEqual([]);
  });

  it("doesn't extend to other hosts, or to installations with https", async () => {
    const local = depsWith({ scanOrigin: "http://localhost:8787", customHostnames: null });
    expect(await claimant().advance({}, local)).toMatchObject({ status: "unproved" });
    const elsewhere = claimant({ host: "go.harbour.localhost" });
    expect(await elsewhere.advance()).toMatchObject({ status: "unproved", problem: "txt_missing" });
  });
});
