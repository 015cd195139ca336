import { beforeEach, describe, expect, it } from "vitest";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({
  now: clock.now,
  settings: { scanOrigin: "https://qr.example", appOrigin: "https://qr.example", ownHosts: ["qr.example"] },
});
let owner: SessionClient;
let host: string;
let count = 0;

beforeEach(async () => {
  owner = await service.session();
  count += 1;
  host = `site${count}.example`;
  await give(owner.workspaceId, host);
});

const give = (workspaceId: string, name: string) =>
  service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${name}`, { workspaceId });
const at = (path: string, init: RequestInit<IncomingRequestCfProperties> = {}) =>
  service.fetch(`https://${host}${path}`, init);
const pageOf = (by: SessionClient) =>
  by.expect(201, Page, "POST", "/developer/pages", {
    title: "Summer fair",
    form: { fields: [{ type: "text", name: "name", label: "Name", required: true }] },
  });

describe("what else is at a domain", () => {
  it("the workspace's pages, whose forms post to the host that shows them, and no other's", async () => {
    const { id } = await pageOf(owner);
    const html = await (await at(`/pages/${id}`)).text();
    expect(html).toContain(`action="/pages/${id}"`);
    const token = /name="([^"]*)" value="([^"]{20,})"/.exec(html);
    clock.advance(5000);
    const sent = await at(`/pages/${id}`, {
      method: "POST",
      body: new URLSearchParams({ name: "Ada", [token?.[1] ?? ""]: token?.[2] ?? "" }),
    });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `/pages/${id}/sent`]);
    const foreign = await pageOf(await service.session());
    expect((await service.fetch(`https://qr.example/pages/${foreign.id}`)).status).toBe(200);
    expect((await at(`/pages/${foreign.id}`)).status).toBe(404);
    expect((await at(`/pages/${foreign.id}`, { method: "POST", body: "a=b" })).status).toBe(405);
  });

  it("the images of its codes", async () => {
    const client = await service.client(owner.workspaceId);
    const qr = await client.createQr({ domain: host });
    const other = await (await service.workspace()).createQr();
    const image = await at(`/${qr.hash}.svg`);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(await image.text()).toEqual(
      await (await service.fetch(`https://qr.example/${qr.hash}.svg`)).text(),
    );
    expect((await at(`/${other.hash}.svg`)).status).toBe(404);
  });

  it("reports of abuse and the sign of life, also while it is suspended", async () => {
    expect((await at("/report")).status).toBe(200);
    await service.operator.send("PUT", `/operator/domains/${host}/suspension`, {
      reason: "A test",
      legalOrder: true,
    });
    expect((await at("/")).status).toBe(451);
    expect((await at("/report")).status).toBe(200);
    expect((await at("/healthz")).status).toBe(200);
  });

  it("neither the dashboard, the API, the widget nor shared reports; and no cookie is set", async () => {
    const { cookie } = owner;
    for (const path of [
      "/dashboard",
      "/dashboard/codes",
      "/api/v1/me",
      "/mcp",
      "/operator",
      "/embed.js",
      "/shared/x",
      "/llms.txt",
    ]) {
      const response = await at(path, { headers: { cookie } });
      expect([path, response.status, response.headers.get("set-cookie")]).toEqual([path, 404, null]);
    }
    for (const path of ["/", "/nothing", "/report"])
      expect((await at(path)).headers.get("set-cookie")).toBeNull();
    // At any other host, as well: the app answers at its own host alone.
    for (const path of ["/dashboard", "/api/v1/me"]) {
      expect((await service.fetch(`https://old-origin.example${path}`)).status).toBe(404);
    }
  });

  it("where its owner leads the host itself and unknown paths", async () => {
    const { domains } = (await (await owner.send("GET", "/developer/domains")).json()) as {
      domains: { id: string }[];
    };
    const path = `/developer/domains/${domains[0]?.id}`;
    await owner.send("PATCH", path, { name: "Harbour <Coffee>" });
    expect(await (await at("/nothing")).text()).toContain("Harbour &lt;Coffee&gt;");
    await owner.send("PATCH", path, { rootUrl: "example.com", unknownUrl: "https://example.com/404" });
    expect((await at("/")).headers.get("location")).toBe("https://example.com");
    for (const unknown of ["/nothing", "/a/b/c", "/12345678"]) {
      expect([unknown, (await at(unknown)).headers.get("location")]).toEqual([
        unknown,
        "https://example.com/404",
      ]);
    }
    // Not for its owner any more, once the workspace is suspended.
    await service.operator.send("PUT", `/operator/workspaces/${owner.workspaceId}/suspension`, {
      reason: "A test",
    });
    expect((await at("/")).status).toBe(404);
  });

  it("scans over plain http, as printed without a scheme; everything else over https", async () => {
    const client = await service.client(owner.workspaceId);
    const qr = await client.createQr({ aliases: [`${host}/old`] });
    for (const path of [qr.hash, "old"]) {
      expect((await service.fetch(`http://${host}/${path}`)).headers.get("location")).toBe(
        "https://example.com/",
      );
    }
    const image = await service.fetch(`http://${host}/${qr.hash}.svg`);
    expect([image.status, image.headers.get("location")]).toEqual([308, `https://${host}/${qr.hash}.svg`]);
    expect((await at(`/${qr.hash}`, { method: "POST" })).status).toBe(405);
    expect((await at("/old", { method: "DELETE" })).status).toBe(405);
  });

  it("over https only for a day, and only once it has been the workspace's for 30 days", async () => {
    const { hash } = await (await service.client(owner.workspaceId)).createQr({ aliases: [`${host}/old`] });
    const transports = async () => {
      const answers = await Promise.all(
        [`/${hash}`, `/${hash}.svg`, "/old", "/nothing", "/", "/embed.js"].map((path) => at(path)),
      );
      return new Set(answers.map(({ headers }) => headers.get("strict-transport-security")));
    };
    expect(await transports()).toEqual(new Set([null]));
    clock.advance(29 * 24 * 3_600_000);
    expect(await transports()).toEqual(new Set([null]));
    clock.advance(2 * 24 * 3_600_000);
    expect(await transports()).toEqual(new Set(["max-age=86400"]));
    const plain = await service.fetch(`http://${host}/${hash}`);
    expect([plain.status, plain.headers.get("strict-transport-security")]).toEqual([302, null]);
  });

  it("not at hosts that aren't domains, which may be anybody's", async () => {
    const { hash } = await (await service.client(owner.workspaceId)).createQr();
    const answer = await service.fetch(`https://unknown.example/${hash}`);
    expect([answer.status, answer.headers.get("strict-transport-security")]).toEqual([302, null]);
  });
});
