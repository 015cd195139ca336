import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parseDomainsOptions } from "../../../scripts/domains/options.ts";
import { checkWorkspace } from "../../../scripts/setup/proof.ts";
import { accountId } from "../../e2e/support/installation/cloudflare.ts";
import {
  changeDomains,
  clearLines,
  cloudflare,
  complete,
  deploy,
  folder,
  install,
  installed,
  messageOf,
  said,
  useAccount,
  written,
} from "../../e2e/support/installation/setup.ts";

useAccount();

const worker = "qr-code-edge";
const host = "qr.acme.com";
const dashboard = `https://dash.cloudflare.com/${accountId}`;
const zone = { id: "e".repeat(32), name: "acme.com", status: "active" };
const attachment = `PUT /accounts/${accountId}/workers/domains`;
const registration = `https://app.example.com/api/v1/operator/domains/${host}`;

beforeEach(async () => {
  await installed();
  cloudflare.zones.push(zone);
});

const domainsOf = (args: string) => changeDomains(args.split(" "));
const toWorkspace = `add ${host} --workspace ${checkWorkspace.id}`;

/** Answers as a token without a right. */
const refuseAt = (part: string) => {
  cloudflare.intercept = (line) =>
    line.includes(part) ? { status: 403, code: 10_000, message: "Authentication error" } : undefined;
};

describe("npm run domains -- add", () => {
  it("attaches a host, waits until it answers, and has deployments keep it", async () => {
    let tries = 0;
    await changeDomains(["add", "https://QR.acme.com/menu"], {
      fetch: async (input, init) => {
        const url = String(input);
        if (url !== `https://${host}/healthz` || tries++ === 3) return cloudflare.fetch(input, init);
        if (tries === 1) throw new TypeError("fetch failed");
        return new Response("Your zone's placeholder", { status: tries === 2 ? 522 : 200 });
      },
    });
    expect(tries).toBe(4);
    expect(cloudflare.domains.get(host)).toBe(worker);
    expect([...cloudflare.registered]).toEqual([]);
    expect(await written("qr.toml")).toContain(`\nhosts = ["${host}"]\n`);
    expect(said()).toContain(`Every code answers at https://${host}`);

    const from = cloudflare.requests.length;
    await deploy();
    const requests = cloudflare.requests.slice(from);
    expect(requests.filter((line) => line.startsWith("PUT") && line.includes("/domains"))).toEqual([]);
    expect(cloudflare.domains.get(host)).toBe(worker);
    const config = await readFile(join(folder, "scratch/qr/service.json"), "utf8");
    expect(JSON.parse(config)).not.toHaveProperty("routes");
  });

  it("registers it as the domain of a workspace", async () => {
    await domainsOf(toWorkspace);
    expect([...cloudflare.registered]).toEqual([[host, checkWorkspace.id]]);
    expect(said()).toContain(`${host} is a domain of the workspace ${checkWorkspace.id}`);
    const lines = cloudflare.requests.filter((line) => line.includes(host));
    expect(lines.slice(-2)).toEqual([`GET https://${host}/healthz`, `PUT ${registration}`]);
  });

  it.each([
    ["the attachment", attachment],
    ["the answer of the host", `GET https://${host}/healthz`],
    ["the registration", `PUT ${registration}`],
  ])("continues where it was interrupted before %s", async (_, request) => {
    cloudflare.intercept = (line) =>
      line === request ? { status: 500, code: 1, message: "interrupted" } : undefined;
    const message = await messageOf(changeDomains([...toWorkspace.split(" "), "--wait", "0"]));
    expect(message).toContain(request === attachment ? "interrupted" : `npm run domains -- ${toWorkspace}`);
    cloudflare.intercept = () => undefined;
    for (let i = 0; i < 2; i += 1) await domainsOf(toWorkspace);
    expect(cloudflare.domains.get(host)).toBe(worker);
    expect([...cloudflare.registered]).toEqual([[host, checkWorkspace.id]]);
    expect((await written("qr.toml")).match(/qr\.acme\.com/g)).toHaveLength(1);
    expect(cloudflare.writes.filter((line) => line === attachment)).toHaveLength(
      request === attachment ? 5 : 4,
    );
  });

  it("takes an international name", async () => {
    cloudflare.zones.push({ id: "d".repeat(32), name: "xn--bcher-kva.example", status: "active" });
    await domainsOf("add qr.bücher.example");
    expect(cloudflare.domains.get("qr.xn--bcher-kva.example")).toBe(worker);
  });

  const taken = {
    "a host of another Worker": [
      () => void cloudflare.domains.set(host, "shop"),
      [`${host} is in use: it is a domain of the Worker shop.`, `${dashboard}/workers/services/view/shop/`],
    ],
    "a host with a DNS record": [
      () => void cloudflare.dnsRecords.push({ name: host, type: "CNAME", content: "old.example" }),
      [`${host} is in use: it has the DNS record CNAME old.example.`, `${dashboard}/acme.com/dns/records`],
    ],
    "a host of a route": [
      () => void cloudflare.routes.push({ pattern: "*.acme.com/*", script: "shop" }),
      [`${host} is in use: the route *.acme.com/* sends it to the Worker shop.`, "Remove the route"],
    ],
    "a DNS record that the sign-in can't read": [
      () => {
        cloudflare.dnsRecords.push({ name: host, type: "A", content: "192.0.2.7" });
        refuseAt("/dns_records");
      },
      [
        `${host} is in use: it has a DNS record that your sign-in can't read.`,
        `continue: npm run domains -- add ${host}`,
      ],
    ],
    "a domain that isn't in the account": [
      () => void cloudflare.zones.pop(),
      [`${host} isn't in a domain of this account (example.com).`, `${dashboard}/add-site`],
    ],
    "a domain whose name servers are elsewhere": [
      () => void cloudflare.zones.splice(1, 1, { ...zone, status: "pending" }),
      ["The domain acme.com is pending", `${dashboard}/acme.com`],
    ],
    "a token without the permission": [
      () => refuseAt("/workers/domains"),
      ['The token lacks the permission "Account: Workers Scripts: Edit".', "/profile/api-tokens"],
    ],
  } as const;
  it("refuses a host that it can't have, says why, and changes nothing", async () => {
    for (const [name, [prepare, parts]] of Object.entries(taken)) {
      prepare();
      const before = [...cloudflare.domains];
      const message = await messageOf(domainsOf(toWorkspace));
      for (const part of parts) expect(message, name).toContain(part);
      expect([...cloudflare.domains], name).toEqual(before);
      for (const list of [cloudflare.dnsRecords, cloudflare.routes]) list.splice(0);
      cloudflare.domains.delete(host);
      cloudflare.zones.splice(1, 1, zone);
      cloudflare.intercept = () => undefined;
    }
    expect(await written("qr.toml")).not.toContain("hosts");
    expect([...cloudflare.registered]).toEqual([]);
  });

  it("says what to do if the service refuses the registration", async () => {
    const unknown = "01900000-0000-7000-8000-0000000000ff";
    const first = await messageOf(domainsOf(`add ${host} --workspace ${unknown}`));
    expect(first).toContain(`${registration} answered 404: Workspace not found.`);
    expect(first).toContain(`${host} points to the service. GET /api/v1/operator/workspaces lists`);
    cloudflare.registered.set(host, unknown);
    const second = await messageOf(domainsOf(toWorkspace));
    expect(second).toContain("409: Another workspace has this domain.");
    expect(second).toContain("remove it first with npm run domains -- remove");
    const answer = (status: number, body: object) =>
      changeDomains(toWorkspace.split(" "), {
        fetch: async (input, init) =>
          init?.method === "PUT" ? Response.json(body, { status }) : cloudflare.fetch(input, init),
      });
    expect(await messageOf(answer(401, {}))).toContain("Set OPERATOR_SECRET to the service's");
    expect(await messageOf(answer(404, { error: "Endpoint not found." }))).toContain("npm run deploy, then");
    expect(await messageOf(answer(200, { status: "pending", problem: "dns_unreadable" }))).toContain(
      `${host} is registered, but it is pending: dns_unreadable.`,
    );
  });

  it("needs the operator's secret before it changes anything", async () => {
    await rm(join(folder, "installations/qr.operator-secret"));
    const from = cloudflare.writes.length;
    expect(await messageOf(domainsOf(toWorkspace))).toContain("The operator's secret is neither in");
    expect(cloudflare.writes.slice(from)).toEqual([]);
    await domainsOf(`add ${host}`);
    expect(cloudflare.domains.get(host)).toBe(worker);
  });
});

describe("npm run deploy", () => {
  it("attaches a lost host again, and continues if something else has it", async () => {
    await domainsOf(`add ${host}`);
    cloudflare.domains.delete(host);
    await deploy();
    expect(said()).toContain(`✓ ${host} attached`);
    expect(cloudflare.domains.get(host)).toBe(worker);
    cloudflare.domains.set(host, "shop");
    await deploy();
    expect(said()).toContain(
      `! ${host} doesn't point to the service:\n    ${host} is in use: it is a domain`,
    );
    expect(cloudflare.domains.get(host)).toBe("shop");
    // Setup does the same, and keeps the host in the file.
    cloudflare.domains.delete(host);
    clearLines();
    await install(["--yes", "--wait", "0"]);
    expect(said()).toContain(`attach  ${host} to qr-code-management-service`);
    expect(cloudflare.domains.get(host)).toBe(worker);
    expect(await written("qr.toml")).toContain(`hosts = ["${host}"]`);
  });

  it("refuses hosts that wrangler would take", async () => {
    const file = join(folder, "installations/qr.toml");
    const text = await written("qr.toml");
    await writeFile(file, `${text}\n[wrangler]\nroutes = [{ pattern = "${host}", custom_domain = true }]\n`);
    expect(await messageOf(deploy())).toContain(`add it: npm run domains -- add ${host}`);
    await writeFile(file, `hosts = "${host}"\n${text}`);
    expect(await messageOf(deploy())).toContain("hosts must be a list");
  });
});

describe("npm run domains -- remove", () => {
  it("asks for the host, says what stops, and undoes what add did; again, it finds nothing", async () => {
    const before = await written("qr.toml");
    await domainsOf(toWorkspace);
    clearLines();
    expect(await messageOf(domainsOf(`remove ${host}`))).toContain("To go ahead, add --yes");
    const wrong = changeDomains(["remove", host], { ask: async () => "yes" });
    expect(await messageOf(wrong)).toBe("Nothing is changed.");
    expect(cloudflare.domains.get(host)).toBe(worker);
    await changeDomains(["remove", host], { ask: async () => ` ${host.toUpperCase()}\n` });
    expect(said()).toContain(`What is printed with https://${host} stops working`);
    expect(said()).toContain("codes with it get short links at https://qr.example.com");
    expect(cloudflare.domains.has(host)).toBe(false);
    expect([...cloudflare.registered]).toEqual([]);
    expect(await written("qr.toml")).toBe(before);
    await domainsOf(`remove ${host} --yes`);
    expect(said()).toContain(`There is nothing of ${host} to remove.`);
  });

  it("continues where it was interrupted, and detaches nothing that the service still has as a domain", async () => {
    await domainsOf(toWorkspace);
    cloudflare.intercept = (line) =>
      line.startsWith("DELETE https://") ? { status: 500, code: 1, message: "" } : undefined;
    expect(await messageOf(domainsOf(`remove ${host} --yes`))).toContain(
      `Nothing is changed. Continue: npm run domains -- remove ${host}`,
    );
    expect(cloudflare.domains.get(host)).toBe(worker);
    cloudflare.intercept = (line) =>
      line.startsWith("DELETE /accounts/") ? { status: 500, code: 1, message: "interrupted" } : undefined;
    expect(await messageOf(domainsOf(`remove ${host} --yes`))).toContain("interrupted");
    expect([...cloudflare.registered]).toEqual([]);
    cloudflare.intercept = () => undefined;
    await domainsOf(`remove ${host} --yes`);
    expect(cloudflare.domains.has(host)).toBe(false);
    expect(await written("qr.toml")).not.toContain("hosts");
  });

  it("leaves a host with the Worker that has it now", async () => {
    await domainsOf(toWorkspace);
    cloudflare.domains.set(host, "shop");
    await domainsOf(`remove ${host} --yes`);
    expect(said()).toContain(`${host} points to the Worker shop, which stays as it is.`);
    expect(cloudflare.domains.get(host)).toBe("shop");
    expect([...cloudflare.registered]).toEqual([]);
    expect(await written("qr.toml")).not.toContain("hosts");
  });
});

describe("npm run domains", () => {
  it("lists hosts, what they are for, and whether they lead here", async () => {
    await domainsOf(`add ${host}`);
    await domainsOf("add go.acme.com");
    cloudflare.domains.delete("go.acme.com");
    cloudflare.domains.set("old.example.com", worker);
    clearLines();
    await domainsOf("list");
    expect(said()).toMatch(/^ {2}qr\.example\.com +scans +points to the service by its Worker for scans$/m);
    expect(said()).toMatch(/^ {2}app\.example\.com +app +points to the service$/m);
    expect(said()).toMatch(/^ {2}qr\.acme\.com +further +points to the service by its Worker for scans$/m);
    expect(said()).toMatch(/^ {2}go\.acme\.com +further +points to nothing$/m);
    expect(said()).toMatch(
      /^ {2}old\.example\.com +not in .*qr\.toml +points to the service by its Worker for scans$/m,
    );
    expect(said()).toContain("To attach one: npm run domains -- add go.acme.com");
    expect(said()).toContain("keep old.example.com: npm run domains -- add old.example.com");
  });

  it("leaves the installation's own hosts to setup", async () => {
    expect(await messageOf(domainsOf("add qr.example.com"))).toContain(
      "qr.example.com is the installation's own host, for scans.",
    );
    const message = await messageOf(domainsOf("remove app.example.com --yes"));
    expect(message).toContain("app.example.com is the installation's own host, for dashboard and API.");
    expect(message).toContain("npm run setup -- --prefix qr --app-domain HOST");
    expect(cloudflare.domains.size).toBe(2);
  });

  it("changes the installation that is named", async () => {
    const names = ["--prefix", "shop", "--scan-domain", "go.example.com", "--app-domain", "my.example.com"];
    await install([...complete.slice(0, 3), ...names]);
    expect(await messageOf(domainsOf(`add ${host}`))).toContain("Say which");
    await domainsOf(`add ${host} --prefix shop`);
    expect(cloudflare.domains.get(host)).toBe("shop-code-edge");
    expect(said()).toContain(`npm run domains -- add ${host} --workspace ID --prefix shop`);
  });

  it("refuses an invalid command line", () => {
    for (const [args, part] of [
      ["", "Usage: npm run domains"],
      ["attach", "There is no attach"],
      ["add", "Name one host"],
      [`add ${host} go.acme.com`, "Name one host"],
      ["add *.acme.com", "HOST must be a host"],
      ["add qr.acme.com:8443", "HOST must be a host"],
      ["add 192.0.2.1", "HOST must be a domain, not an IP address"],
      [`add ${host} --workspace acme`, "--workspace must be the id of a workspace"],
      [`add ${host} --wait soon`, "--wait must be 0 to 120 minutes"],
      [`add ${host} --yes`, "add takes no --yes"],
      [`remove ${host} --workspace ${checkWorkspace.id}`, "remove takes no --workspace"],
      [`list ${host}`, "list takes no host"],
      ["list --nothing", "Usage: npm run domains"],
    ] as const) {
      expect(() => parseDomainsOptions(args === "" ? [] : args.split(" ")), args).toThrow(part);
    }
  });
});
