import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Domain } from "../../src/contract/resources/domains.ts";
import { findCustomHostname } from "../../src/domain/domains/custom-hostnames.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { CloudflareStandIn } from "../support/cloudflare-stand-in.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";

/** The requests of one workspace to Cloudflare are bounded, and hold up no other. */

const minute = 60_000;
const origins = {
  scanOrigin: "https://qr.example",
  appOrigin: "https://app.example",
  ownHosts: ["qr.example"],
};
let clock: FakeClock;
let cloudflare: CloudflareStandIn;
let service: Service;
let acme: SessionClient;

beforeEach(async () => {
  await env.DB.exec("DELETE FROM domains; DELETE FROM cloudflare_requests");
  clock = new FakeClock();
  cloudflare = new CloudflareStandIn(clock.now);
  service = new Service({
    now: clock.now,
    fetch: cloudflare.fetch,
    settings: { ...origins, ...cloudflare.settings },
  });
  acme = await service.session();
});

const claim = (by: SessionClient, host: string) =>
  by.expect(201, Domain, "POST", "/developer/domains", { host });
const read = (by: SessionClient, { id }: Domain) => by.expect(200, Domain, "GET", `/developer/domains/${id}`);
const check = (by: SessionClient, { id }: Domain) =>
  by.expect(200, Domain, "POST", `/developer/domains/${id}/check`);

/** Sets the records that a domain asks for. */
function setRecords({ records }: Domain, types: readonly string[] = ["TXT", "CNAME"]): void {
  for (const { type, name, value } of records) {
    if (types.includes(type)) cloudflare.dns.set(type as "TXT", name, value);
  }
}

/** Lets a minute pass, with its sweep. @returns the requests that it made, as lines of the log */
async function sweep(): Promise<string[]> {
  clock.advance(minute);
  const from = cloudflare.log.length;
  await service.worker.scheduled(undefined, env);
  return cloudflare.log.slice(from);
}

/** Lets sweeps pass until a domain is active. @returns how many */
async function sweepsUntilActive(by: SessionClient, domain: Domain, most: number): Promise<number> {
  for (let i = 1; i <= most; i += 1) {
    await sweep();
    if ((await read(by, domain)).status === "active") return i;
  }
  return Number.POSITIVE_INFINITY;
}

/** Gives a workspace claims that are due: unproved ones without a record, or proved ones that lead nowhere. */
async function claims(workspaceId: string, count: number, kind: "unproved" | "proved"): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: newId(clock.now()),
    host: `${kind}${i}.mallory.example`,
  }));
  const isProved = kind === "proved";
  if (isProved) for (const { host } of rows) cloudflare.dns.set("TXT", `_qr-owner.${host}`, "qr-owner=m");
  await env.DB.prepare(
    `INSERT INTO domains (id, workspace_id, host, status, token, proved_at, created_at, claimed_at, check_at, version,
       route_version)
     SELECT value->>'id', ?2, value->>'host', ?3, 'm', ?4, ?5, ?5, ?5, 1, ?5 FROM json_each(?1)`,
  )
    .bind(
      JSON.stringify(rows),
      workspaceId,
      isProved ? "pending" : "unproved",
      isProved ? clock.now() : null,
      clock.now(),
    )
    .run();
}

describe("Check now", () => {
  it("checks a domain at most once a minute, however often and at once it is asked for", async () => {
    const domain = await claim(acme, "go.acme.com");
    setRecords(domain);
    expect(await sweepsUntilActive(acme, domain, 30)).toBeLessThan(30);
    clock.advance(10 * minute);
    const from = cloudflare.log.length;
    for (let i = 0; i < 3; i += 1) await check(acme, domain);
    await Promise.all(Array.from({ length: 20 }, () => check(acme, domain)));
    expect(cloudflare.requests(from)).toHaveLength(1);
    clock.advance(minute);
    const { checkedAt } = await check(acme, domain);
    expect([cloudflare.requests(from).length, checkedAt]).toEqual([2, new Date(clock.now()).toISOString()]);
  });

  it("and removing and restoring in turn ask Cloudflare nothing", async () => {
    const domain = await claim(acme, "go.acme.com");
    setRecords(domain);
    await sweepsUntilActive(acme, domain, 30);
    const from = cloudflare.log.length;
    for (let i = 0; i < 5; i += 1) {
      expect((await acme.send("DELETE", `/developer/domains/${domain.id}`)).status).toBe(200);
      expect((await acme.send("POST", `/developer/domains/${domain.id}/restore`)).status).toBe(200);
    }
    expect(cloudflare.requests(from)).toEqual([]);
    expect(await sweepsUntilActive(acme, domain, 30)).toBeLessThan(30);
  });
});

describe("requests to Cloudflare", () => {
  const period = () => Math.floor(clock.now() / (5 * minute));
  const use = (requests: number) =>
    env.DB.prepare("INSERT OR REPLACE INTO cloudflare_requests (id, period, requests) VALUES (1, ?, ?)")
      .bind(period(), requests)
      .run();
  const used = () => env.DB.prepare("SELECT requests FROM cloudflare_requests").first<number>("requests");

  it("are counted for the whole installation, and end what people ask for before the sweep", async () => {
    const domain = await claim(acme, "go.acme.com");
    setRecords(domain);
    await sweepsUntilActive(acme, domain, 30);
    clock.advance((10 - ((clock.now() / minute) % 5)) * minute);
    const from = cloudflare.log.length;
    await use(294);
    await check(acme, domain);
    expect([cloudflare.requests(from).length, await used()]).toEqual([1, 295]);
    // Another isolate counts the same requests.
    clock.advance(minute);
    const other = new Service({
      now: clock.now,
      fetch: cloudflare.fetch,
      settings: { ...origins, ...cloudflare.settings },
    });
    const there = await other.sessionIn(acme.workspaceId);
    expect((await check(there, domain)).status).toBe("active");
    expect([cloudflare.requests(from).length, await used()]).toEqual([1, 295]);
    await sweep();
    expect([cloudflare.requests(from).length, await used()]).toEqual([2, 296]);
    await check(acme, domain);
    await use(395);
    await sweep();
    expect(await read(acme, domain)).toMatchObject({ status: "active", problem: null });
    expect([cloudflare.requests(from).length, await used()]).toEqual([2, 395]);
    clock.advance(5 * minute);
    await sweep();
    expect([cloudflare.requests(from).length, await used()]).toEqual([3, 1]);
  });

  it("are never more than the installation has", async () => {
    const domain = await claim(acme, "go.acme.com");
    setRecords(domain, ["TXT"]);
    await use(400);
    await expect(findCustomHostname(service.deps, "go.acme.com")).rejects.toMatchObject({
      failure: "limited",
    });
    expect(cloudflare.requests()).toEqual([]);
    clock.advance(5 * minute);
    expect(await findCustomHostname(service.deps, "go.acme.com")).toBeNull();
  });
});

describe.each(["unproved", "proved"] as const)("50 %s claims of a workspace", (kind) => {
  it("hold up no other workspace's domain, nor take more requests than a sweep has", async () => {
    const [mallory, globex] = [await service.session(), await service.session()];
    /** Counts the sweeps until a new domain is active, none of which may make too many requests. */
    const sweepsOf = async (by: SessionClient, host: string) => {
      const domain = await claim(by, host);
      setRecords(domain);
      for (let sweeps = 0; ; sweeps += 1) {
        if (sweeps === 40 || (await read(by, domain)).status === "active") return sweeps;
        expect((await sweep()).length).toBeLessThanOrEqual(50);
      }
    };
    const alone = await sweepsOf(globex, "go.globex.com");
    await claims(mallory.workspaceId, 50, kind);
    expect((await sweepsOf(acme, "go.acme.com")) - alone).toBeLessThanOrEqual(2);
    // They get their own turns, too.
    for (let i = 0; i < 30; i += 1) await sweep();
    const unchecked = "SELECT count(*) AS n FROM domains WHERE checked_at IS NULL";
    expect(await env.DB.prepare(unchecked).first("n")).toBe(0);
  });
});
