import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Domain } from "../../src/contract/resources/domains.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { CloudflareStandIn } from "../support/cloudflare-stand-in.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const origins = {
  scanOrigin: "https://qr.example",
  appOrigin: "https://app.example",
  ownHosts: ["qr.example"],
};
const host = "go.acme.com";
let clock: FakeClock;
let cloudflare: CloudflareStandIn;
let service: Service;
let acme: SessionClient;

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM domains").run();
  clock = new FakeClock();
  cloudflare = new CloudflareStandIn(clock.now);
  service = new Service({
    now: clock.now,
    fetch: cloudflare.fetch,
    settings: { ...origins, ...cloudflare.settings },
  });
  acme = await service.session();
});

const claim = (by: SessionClient, more: object = {}) =>
  by.expect(201, Domain, "POST", "/developer/domains", { host, ...more });
const read = (by: SessionClient, { id }: Domain) => by.expect(200, Domain, "GET", `/developer/domains/${id}`);
/** Checks a domain, when it may be checked again. */
function check(by: SessionClient, { id }: Domain): Promise<Domain> {
  clock.advance(minute);
  return by.expect(200, Domain, "POST", `/developer/domains/${id}/check`);
}

/** Sets the records that a domain asks for. */
function setRecords({ records }: Domain, types: readonly string[] = ["TXT", "CNAME"]): void {
  for (const { type, name, value } of records)
    if (types.includes(type)) cloudflare.dns.set(type as "TXT", name, value);
}

/** Lets time pass, with a sweep each minute, or each few minutes where those between find nothing due. */
async function pass(minutes: number, step = 1): Promise<void> {
  for (let i = 0; i < minutes; i += step) {
    clock.advance(step * minute);
    await service.worker.scheduled(undefined, env);
  }
}

const statusAt = async (path: string) => (await service.fetch(`https://${host}${path}`)).status;

describe("a customer's own host", () => {
  it("goes from claimed to active by the sweep alone, then is removed and given back", async () => {
    const domain = await claim(acme, { isDefault: true, name: "Acme" });
    expect(domain).toMatchObject({ host, status: "unproved", problem: "txt_missing" });
    expect(domain.records.map(({ type, name }) => [type, name])).toEqual([
      ["TXT", `_qr-owner.${host}`],
      ["CNAME", host],
    ]);
    expect(cloudflare.requests()).toEqual([]);
    // Nothing is reserved, and nothing changes for scans at the host, before the proof.
    expect(await statusAt("/")).toBe(200);
    setRecords(domain);
    await pass(30);
    expect(await read(acme, domain)).toMatchObject({ status: "active", problem: null });
    expect(await statusAt("/")).toBe(404);
    const client = service.client(acme.workspaceId);
    expect((await (await client).createQr()).scanUrl).toMatch(/^https:\/\/go\.acme\.com\//);

    const told = await acme.expect(200, HistoryList, "GET", "/developer/history?kind=domain");
    expect(told.items.map(({ action }) => action)).toEqual([
      "domain.updated",
      "domain.updated",
      "domain.created",
    ]);

    const refused = await acme.send("DELETE", `/developer/domains/${domain.id}`);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: expect.stringContaining("1 code uses this domain") },
    ]);
    expect((await acme.send("DELETE", `/developer/domains/${domain.id}?host=${host}`)).status).toBe(200);
    expect(await statusAt("/")).toBe(404);
    expect(await (await service.fetch(`https://${host}/`)).text()).toContain("no longer in use");
    await pass(2);
    expect(cloudflare.requests().at(-1)).toMatch(/^API DELETE custom_hostnames/);
    expect(cloudflare.log.join("\n")).toMatch(/pending.*active/s);
  });

  it("reserves nothing unproved: several may claim it, and the one that proves it has it", async () => {
    const [mallory, globex] = [await service.session(), await service.session()];
    const claims = [await claim(acme), await claim(mallory), await claim(globex)];
    cloudflare.dns.set("CNAME", host, cloudflare.target);
    await pass(10, 5);
    for (const [i, by] of [acme, mallory, globex].entries()) {
      expect((await read(by, claims[i] as Domain)).status).toBe("unproved");
    }
    expect(cloudflare.requests()).toEqual([]);
    setRecords(claims[2] as Domain, ["TXT"]);
    await pass(60, 5);
    expect((await read(globex, claims[2] as Domain)).status).toBe("active");
    // Unproved claims lapse after seven days.
    clock.advance(7 * day);
    await pass(5);
    for (const [i, { workspaceId }] of [acme, mallory].entries()) {
      const by = await service.sessionIn(workspaceId);
      expect((await by.send("GET", `/developer/domains/${claims[i]?.id}`)).status).toBe(404);
    }
    const later = await service.sessionIn(globex.workspaceId);
    expect((await read(later, claims[2] as Domain)).status).toBe("active");
  });

  it("can't be taken by a CNAME that a former owner left behind, only by a new proof", async () => {
    const domain = await claim(acme);
    setRecords(domain);
    await pass(30, 3);
    const mallory = await service.session();
    const theirs = await claim(mallory);
    // Whose proof it is, is in the record: theirs is not there.
    expect(theirs).toMatchObject({ status: "unproved", problem: "txt_differs" });
    expect(await check(mallory, theirs)).toMatchObject({ status: "unproved" });
    // While the owner's proof stands beside it, even a second proof takes nothing.
    const [proof] = domain.records;
    const [other] = theirs.records;
    cloudflare.dns.set("TXT", `_qr-owner.${host}`, proof?.value ?? "", other?.value ?? "");
    expect(await check(mallory, theirs)).toMatchObject({
      status: "unproved",
      problem: "held_by_another_workspace",
    });
    expect((await read(acme, domain)).status).toBe("active");
    // The host changed hands: its new owner proves it, and the former one no longer does.
    cloudflare.dns.set("TXT", `_qr-owner.${host}`, other?.value ?? "");
    expect((await check(mallory, theirs)).status).toBe("active");
    expect(await read(acme, domain)).toMatchObject({
      status: "unproved",
      problem: "held_by_another_workspace",
    });
  });

  it("shows within a day that DNS no longer leads here, and keeps answering", async () => {
    const domain = await claim(acme);
    setRecords(domain);
    await pass(30, 3);
    cloudflare.dns.set("CNAME", host, "elsewhere.example");
    clock.advance(day);
    await pass(1);
    const later = await service.sessionIn(acme.workspaceId);
    expect(await read(later, domain)).toMatchObject({ status: "active", problem: "cname_elsewhere" });
    expect(await statusAt("/")).toBe(404);
  });

  it("is refused where it can't be one, with the field named", async () => {
    for (const name of [
      "",
      "acme",
      "*.acme.com",
      "acme.com:8080",
      "acme.com/x",
      "192.0.2.1",
      "qr.example",
      "a.qr.example",
      `${`${"a".repeat(60)}.`.repeat(4)}example`,
    ]) {
      const response = await acme.send("POST", "/developer/domains", { host: name });
      expect([name, response.status]).toEqual([name, 400]);
      expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^host /) });
    }
    for (const url of [`https://${host}/x`, "https://qr.example/x", "ftp://x"]) {
      expect((await acme.send("POST", "/developer/domains", { host, rootUrl: url })).status).toBe(400);
    }
    await claim(acme);
    expect((await acme.send("POST", "/developer/domains", { host })).status).toBe(409);
    const starter = await service.session("starter");
    await claim(starter);
    expect((await starter.send("POST", "/developer/domains", { host: "two.acme.com" })).status).toBe(402);
    expect((await (await service.session("free")).send("POST", "/developer/domains", { host })).status).toBe(
      402,
    );
    const editor = await service.sessionIn(acme.workspaceId, "editor");
    expect((await editor.send("POST", "/developer/domains", { host: "x.acme.com" })).status).toBe(403);
  });

  it("stays suspended: neither its workspace nor another can add it again, unless the operator gives it", async () => {
    const domain = await claim(acme);
    const mallory = await service.session();
    const waiting = await claim(mallory);
    setRecords(domain);
    await pass(30, 3);
    expect((await read(acme, domain)).status).toBe("active");
    const path = `/operator/domains/${host}`;
    await service.operator.send("PUT", `${path}/suspension`, { reason: "Imitates a bank" });
    await acme.send("DELETE", `/developer/domains/${domain.id}`);
    for (const by of [acme, await service.session()]) {
      const refused = await by.send("POST", "/developer/domains", { host });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: "host was suspended by the operator of this service. Ask them first." },
      ]);
    }
    setRecords(waiting);
    expect(await check(mallory, waiting)).toMatchObject({
      status: "unproved",
      problem: "held_by_another_workspace",
    });
    expect(await statusAt("/")).toBe(403);
    const { workspaceId } = await service.session();
    expect((await service.operator.send("PUT", path, { workspaceId })).status).toBe(200);
    expect(await statusAt("/")).toBe(404);
  });

  it("is given back when its workspace is erased", async () => {
    const domain = await claim(acme);
    setRecords(domain);
    await pass(30, 3);
    expect((await read(acme, domain)).status).toBe("active");
    const path = "/developer/workspace/deletion";
    const justSignedIn = await service.sessionIn(acme.workspaceId);
    const begun = await justSignedIn.send("POST", path, { name: "Test", codes: "stop" });
    expect(begun.status).toBe(202);
    clock.advance(7 * day);
    await pass(8);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM domains").first("n")).toBe(0);
    const deleted = cloudflare.requests().filter((line) => line.startsWith("API DELETE custom_hostnames"));
    expect(deleted).toHaveLength(1);
  });

  it("can be added by the operator alone where custom hostnames aren't set up", async () => {
    const plain = new Service({ now: clock.now, settings: { ...origins, customHostnames: null } });
    const member = await plain.session();
    const response = await member.send("POST", "/developer/domains", { host });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: expect.stringContaining(`npm run domains -- add ${host} --workspace ${member.workspaceId}`) },
    ]);
  });
});
