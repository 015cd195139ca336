import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Domain, OperatorDomain } from "../../src/contract/resources/domains.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const settings = {
  scanOrigin: "http://qr.localhost",
  appOrigin: "http://app.localhost",
  ownHosts: ["qr.localhost"],
};
const service = new Service({ now: clock.now, settings });
const to = "https://example.com/menu";

/** Where a phone is led where nothing is remembered. */
async function answerAt(address: string): Promise<string | number> {
  const fresh = new Service({ now: clock.now, settings });
  const response = await fresh.fetch(`http://${address}`);
  return response.headers.get("location") ?? response.status;
}

describe("codes with a domain", () => {
  let client: Client;
  let owner: SessionClient;
  let domain: Domain;
  let code: Qr;
  let count = 0;

  beforeEach(async () => {
    count += 1;
    const host = `go${count}.acme.localhost`;
    client = await service.workspace();
    owner = await service.sessionIn(client.workspaceId);
    domain = await owner.expect(201, Domain, "POST", "/developer/domains", { host });
    expect(domain.status).toBe("active");
    const data = { type: "url" as const, url: to };
    code = await client.createQr({ data, domain: host, aliases: [`${host}/Menu_2019`] });
  });

  const read = () => client.expect(200, Qr, "GET", `/qr/${code.id}`);
  const everywhere = async () => [
    await answerAt(`qr.localhost/${code.hash}`),
    await answerAt(`${domain.host}/${code.hash}`),
    await answerAt(`${domain.host}/Menu_2019`),
  ];
  const remove = async () => {
    const answer = await owner.send("DELETE", `/developer/domains/${domain.id}?host=${domain.host}`);
    expect(answer.status).toBe(200);
    clock.advance(2000);
  };

  it("answer at the service's own host once a domain is removed, and their short links have it", async () => {
    expect(await everywhere()).toEqual([to, to, to]);
    await remove();
    expect(await everywhere()).toEqual([to, 404, 404]);
    expect((await read()).scanUrl).toBe(`http://qr.localhost/${code.hash}`);
  });

  it("answer at a domain again that is restored and proved, by alias, too", async () => {
    await remove();
    const restored = await owner.expect(200, Domain, "POST", `/developer/domains/${domain.id}/restore`);
    expect(restored.status).toBe("active");
    clock.advance(2000);
    expect(await everywhere()).toEqual([to, to, to]);
    expect((await read()).scanUrl).toBe(`http://${domain.host}/${code.hash}`);
  });

  it("keep their domain and aliases when the plan ends", async () => {
    const plan = `/operator/workspaces/${client.workspaceId}/plan`;
    expect((await service.operator.send("PUT", plan, { plan: "free" })).status).toBe(200);
    clock.advance(2000);
    expect(await everywhere()).toEqual([to, to, to]);
    const path = `/developer/domains/${domain.id}`;
    const changed = await owner.expect(200, Domain, "PATCH", path, { rootUrl: "https://example.com/" });
    expect(changed.status).toBe("active");
    expect(await answerAt(`${domain.host}/`)).toBe("https://example.com/");
    const another = { host: `other${count}.acme.localhost` };
    await expectError(await owner.send("POST", "/developer/domains", another), 402, "plan_limit");
  });

  it("go on at the service's own host while a domain is suspended", async () => {
    const path = `/operator/domains/${domain.host}`;
    await service.operator.send("PUT", `${path}/suspension`, { reason: "Imitates a bank" });
    clock.advance(2000);
    expect(await everywhere()).toEqual([to, 403, 403]);
    expect((await read()).scanUrl).toBe(`http://qr.localhost/${code.hash}`);
    await service.operator.send("DELETE", `${path}/suspension`);
    clock.advance(2000);
    expect(await everywhere()).toEqual([to, to, to]);
    const { suspended } = await service.operator.expect(200, OperatorDomain, "GET", path);
    expect(suspended).toBeNull();
  });
});
