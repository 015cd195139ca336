import { beforeAll, expect, it } from "vitest";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { reportedHash } from "../support/abuse-reports.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const host = "tails.example";
const tails = [")", "%20", ".)", "%E2%80%9D", "%E2%80%8B", "?!", ",", "%C2%BB"].map((tail) =>
  tail.replace("?", "%3F"),
);
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
  await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: client.workspaceId,
  });
});

const target = async (url: string, edge = service) => {
  const answer = await edge.fetch(url);
  return answer.headers.get("location") ?? answer.status;
};
const to = (url: string) => ({ data: { type: "url", url } as const });

it("a link with what follows links in texts leads to the code, cold and from memory", async () => {
  const { hash } = await client.createQr({ ...to("https://example.com/tail"), hash: "tail-code" });
  for (const cold of [true, false]) {
    for (const tail of tails) {
      const edge = cold ? new Service({ now: clock.now }) : service;
      for (const path of [`/${hash}${tail}`, `https://${host}/${hash}${tail}`]) {
        expect([path, await target(path, edge)]).toEqual([path, "https://example.com/tail"]);
      }
    }
    expect(await target("/tail%E2%80%91code")).toBe("https://example.com/tail");
  }
});

it("an exact alias comes before the code, also once that is in memory", async () => {
  await client.createQr({ ...to("https://example.com/code"), hash: "lunch" });
  const alias = await client.createQr({ ...to("https://example.com/alias"), aliases: [`${host}/lunch)`] });
  for (let i = 0; i < 2; i += 1) {
    expect(await target(`https://${host}/lunch`)).toBe("https://example.com/code");
    expect(await target(`https://${host}/lunch)`)).toBe("https://example.com/alias");
    expect(await target(`https://${host}/lunch))`)).toBe("https://example.com/code");
  }
  expect(await reportedHash({ service, clock }, `https://${host}/lunch)`)).toBe(alias.hash);
  expect(await reportedHash({ service, clock }, `https://${host}/lunch))`)).toBe("lunch");
});

it("a tail comes before a misreading", async () => {
  for (;;) {
    const { hash } = await client.createQr(to("https://example.com/misread"));
    const misread = hash.replaceAll("0", "o");
    if (misread === hash) continue;
    expect(await target(`/${misread})`)).toBe("https://example.com/misread");
    return;
  }
});

it("what is no code with its tail is unknown as before", async () => {
  expect(await target("/no-such-code)")).toBe(404);
  expect(await target(`/tail-code${")".repeat(100)}`)).toBe(404);
});
