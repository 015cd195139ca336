import { describe, expect, it } from "vitest";
import { isCloudflareAddress } from "../../src/domain/domains/cloudflare-addresses.ts";
import { readAddresses, readCaa, readTxt } from "../../src/domain/domains/dns.ts";
import { Service } from "../support/service.ts";

interface Answered {
  readonly name: string;
  readonly type: number;
  readonly data: string;
}

const requests: string[] = [];

/** Returns dependencies whose resolver answers each name and type with these records, and others as missing. */
const depsWith = (answers: Readonly<Record<string, Answered[] | Response>>) =>
  new Service({
    settings: { dnsResolver: "https://resolver.example/dns-query?ct=json" },
    fetch: async (input) => {
      const { searchParams } = new URL(new Request(input).url);
      const asked = `${searchParams.get("type")} ${searchParams.get("name")}`;
      requests.push(asked);
      const answer = answers[asked];
      if (answer instanceof Response) return answer;
      return answer === undefined
        ? Response.json({ Status: 3, TC: false })
        : Response.json({ Status: 0, TC: false, Answer: answer });
    },
  }).deps;

const txt = (data: string, name = "a.example.") => ({ name, type: 16, data });
const cname = (name: string, data: string) => ({ name, type: 5, data });

describe("a resolver's answers", () => {
  it.each([
    ['"one"', "one"],
    ['"one" "two"', "onetwo"],
    ['"a""b"', "ab"],
    ['"say \\"hi\\" \\\\ \\065"', 'say "hi" \\ A'],
    ["without quotes", "without quotes"],
    ['"not closed', '"not closed'],
    ['""', ""],
  ])("hold the text %s", async (data, value) => {
    const found = await readTxt(depsWith({ "TXT a.example": [txt(data)] }), "a.example");
    expect(found).toEqual({ values: [value], cname: null });
  });

  it("hold text of the name itself only, in any case of letters and with the root's dot", async () => {
    const answer = [txt("x", "A.Example."), cname("a.example", "b.example."), txt("y", "b.example")];
    const deps = depsWith({ "TXT a.example": answer });
    expect(await readTxt(deps, "a.example")).toEqual({ values: ["x"], cname: "b.example" });
  });

  it("say where a name leads, also if nothing is there", async () => {
    const chain = [cname("a.example.", "B.example."), cname("b.example.", "c.example.")];
    const deps = depsWith({
      "A a.example": [...chain, { name: "c.example.", type: 1, data: "192.0.2.1" }],
      "AAAA a.example": [...chain, { name: "c.example.", type: 28, data: "2001:DB8::1" }],
      "A loop.example": [cname("loop.example", "a.example"), cname("a.example", "loop.example")],
      "A gone.example": Response.json({ Status: 3, Answer: [cname("gone.example", "x.example")] }),
    });
    expect(await readAddresses(deps, "a.example")).toEqual({
      cnames: ["b.example", "c.example"],
      addresses: ["192.0.2.1", "2001:db8::1"],
    });
    expect(await readAddresses(deps, "loop.example")).toEqual({
      cnames: ["a.example", "loop.example"],
      addresses: [],
    });
    expect(await readAddresses(deps, "gone.example")).toEqual({ cnames: ["x.example"], addresses: [] });
    expect(await readAddresses(deps, "none.example")).toEqual({ cnames: [], addresses: [] });
  });

  it.each([
    ["a server's failure", () => Response.json({ Status: 2 })],
    ["a refusal", () => Response.json({ Status: 5 })],
    ["a truncated answer", () => Response.json({ Status: 0, TC: true, Answer: [] })],
    ["another form", () => Response.json({ Status: 0, Answer: [{ name: "a.example", data: "x" }] })],
    ["no JSON", () => new Response("<p>Hello</p>")],
    ["a redirect", () => Response.redirect("https://elsewhere.example/")],
    ["an error", () => Response.json({ error: "Invalid query name" }, { status: 400 })],
    ["too much", () => Response.json({ Status: 0, Comment: "x".repeat(70_000) })],
    [
      "too many records",
      () => Response.json({ Status: 0, Answer: Array.from({ length: 201 }, () => txt("x")) }),
    ],
  ])("can't be read: %s", async (_, response) => {
    const deps = depsWith({
      "TXT a.example": response(),
      "A a.example": response(),
      "CAA a.example": response(),
    });
    expect(await readTxt(deps, "a.example")).toBe("unreadable");
    expect(await readAddresses(deps, "a.example")).toBe("unreadable");
    expect(await readCaa(deps, "a.example")).toBe("unreadable");
  });
});

describe("records of certificate authorities", () => {
  const caa = (data: string, name = "example") => ({ name, type: 257, data });

  it.each([
    ["in text", ['0 issue "pki.goog; cansignhttpexchanges=yes"', '0 issuewild ";"'], ["pki.goog"]],
    ["in bytes", ["\\# 19 00 05 69 73 73 75 65 64 69 67 69 63 65 72 74 2e 63 6f 6d"], ["digicert.com"]],
    ["in upper case", ['0 ISSUE "SSL.com"', '0 issue "letsencrypt.org"'], ["ssl.com", "letsencrypt.org"]],
    ["for none", ['0 issue ";"'], []],
  ])("are read %s", async (_, data, issuers) => {
    const deps = depsWith({ "CAA example": data.map((value) => caa(value)) });
    expect(await readCaa(deps, "go.shop.example")).toEqual({ name: "example", issuers });
  });

  it("are those of the nearest name, and restrict nothing without `issue`", async () => {
    const deps = depsWith({
      "CAA go.shop.example": [caa('0 iodef "mailto:it@shop.example"', "go.shop.example")],
      "CAA example": [caa('0 issue "digicert.com"')],
    });
    expect(await readCaa(deps, "go.shop.example")).toBeNull();
    expect(await readCaa(deps, "other.example")).toEqual({ name: "example", issuers: ["digicert.com"] });
    expect(await readCaa(depsWith({}), "go.shop.example")).toBeNull();
  });

  it("are looked for at no more than ten names", async () => {
    const from = requests.length;
    expect(await readCaa(depsWith({}), `${"a.".repeat(60)}example`)).toBeNull();
    expect(requests.length - from).toBe(10);
  });
});

it.each([
  ["104.16.0.0", true],
  ["104.27.255.255", true],
  ["104.28.0.0", false],
  ["172.71.255.255", true],
  ["172.72.0.0", false],
  ["188.114.96.1", true],
  ["188.114.112.1", false],
  ["192.0.2.1", false],
  ["2606:4700::6810:1", true],
  ["2606:4701::1", false],
  ["2a06:98c7:1::1", true],
  ["2a06:98c8::1", false],
  ["::1", false],
])("tells whether %s is one of Cloudflare's addresses", (address, isOne) => {
  expect(isCloudflareAddress(address)).toBe(isOne);
});
