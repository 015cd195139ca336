import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/errors.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import type { Client } from "../support/service.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

async function refusal(response: Response): Promise<string> {
  const { error, code } = ErrorBody.strict().parse(await response.json());
  expect({ status: response.status, code, error }).toEqual({ status: 400, code: "invalid_input", error });
  return error;
}

const create = (colorConfig: object) =>
  client.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "example.com" }, colorConfig });

const fields = ["dotsColor", "backgroundColor", "cornerColor"] as const;

describe("a colour", () => {
  const named: [string, string][] = [
    ["navy", "#000080"],
    ["RebeccaPurple", "#663399"],
    [" red ", "#ff0000"],
    ["#a00", "#aa0000"],
    ["#A00F", "#aa0000"],
    ["#123456", "#123456"],
    ["#123456ff", "#123456"],
    ["rgb(1, 2, 3)", "#010203"],
    ["rgb(1 2 3)", "#010203"],
    ["rgba(1, 2, 3, 1)", "#010203"],
    ["rgb(1 2 3 / 100%)", "#010203"],
    ["hsl(120, 100%, 25%)", "#008000"],
    ["hsl(120deg 100% 25%)", "#008000"],
  ];
  it.each(named)("is %s, drawn as %s", async (text, hex) => {
    const { hash } = await client.createQr({ colorConfig: { dotsColor: text, cornerColor: "#111" } });
    const svg = await (await service.fetch(`/${hash}.svg`)).text();
    expect(svg).toContain(`<path fill="${hex}"`);
  });

  const none = [
    "",
    " ",
    "notacolor",
    "currentColor",
    "inherit",
    "var(--x)",
    "url(https://evil.example/x)",
    "url(#a)",
    'red" onload="alert(1)',
    "red'",
    '"/><script>alert(1)</script>',
    "red;fill:blue",
    "red/**/",
    "#12",
    "#12345",
    "#ggg",
    "rgb(1,2)",
    "rgb(a,b,c)",
    "rgb(1,2,3",
    "rgb(0 0 0 / 50%)",
    "#00000080",
    "hsla(0, 100%, 20%, .5)",
    "constructor",
    "__proto__",
    "х".repeat(1000),
    `rgb(${"1".repeat(4000)}x`,
  ];
  it.each(none)("is not %j", async (text) => {
    expect(await refusal(await create({ dotsColor: text }))).toContain("colorConfig.dotsColor ");
  });

  it("is checked in any field and request", async () => {
    const text = "notacolor";
    const { id } = await client.createQr();
    for (const field of fields) {
      const colorConfig = { [field]: text };
      const name = `colorConfig.${field} `;
      expect(await refusal(await create(colorConfig))).toContain(name);
      expect(await refusal(await client.send("PATCH", `/qr/${id}`, { colorConfig }))).toContain(name);
    }
    const bulk = await harness.run(
      client,
      await harness.json(client, [item(0), { ...item(1), colorConfig: { cornerColor: text } }]),
    );
    expect(bulk).toMatchObject({ status: "completed", successCount: 1, failureCount: 1 });
    expect(bulk.items[1]?.error).toContain("colorConfig.cornerColor must be a CSS color");
  });

  it("is neither a number nor a list", async () => {
    for (const value of [7, ["red"], { r: 0 }]) {
      expect(await refusal(await create({ dotsColor: value }))).toContain("colorConfig.dotsColor ");
    }
  });

  it("is named by its column in a spreadsheet", async () => {
    const csv = "url,dotsColor,backgroundColor\nexample.com,navy,\nexample.com,url(x),\nexample.com,,#111\n";
    const job = await harness.run(client, await harness.csv(client, csv));
    expect(job.items.map(({ error }) => error)).toEqual([
      null,
      expect.stringMatching(/^line 3: dotsColor must be a CSS color/),
      expect.stringMatching(/^line 4: backgroundColor must be lighter/),
    ]);
  });

  it("may be transparent behind the code, and nowhere else", async () => {
    const { hash } = await client.createQr({ colorConfig: { backgroundColor: "transparent" } });
    const svg = await (await service.fetch(`/${hash}.svg`)).text();
    expect([...svg.matchAll(/fill="([^"]*)"/g)].map(([, fill]) => fill)).toEqual(["#000000"]);
    expect(await refusal(await create({ dotsColor: "transparent" }))).toContain("colorConfig.dotsColor ");
    expect(await refusal(await create({ cornerColor: "transparent" }))).toContain("colorConfig.cornerColor ");
  });

  it("does not include other properties of the object", async () => {
    expect((await create({ glow: "url(x)", dots: 3 })).status).toBe(201);
  });
});

describe("colours that phones can't scan", () => {
  const cases: [object, string, RegExp][] = [
    [{ dotsColor: "#eee" }, "dotsColor", /contrast is 1\.\d+:1, and phones need at least 3:1/],
    [{ dotsColor: "#959595" }, "dotsColor", /contrast is 2\.\d+:1/],
    [{ dotsColor: "white" }, "dotsColor", /must be darker/],
    [{ dotsColor: "white", backgroundColor: "black" }, "dotsColor", /darker than the background/],
    [{ backgroundColor: "#333" }, "backgroundColor", /must be lighter/],
    [{ backgroundColor: "black" }, "backgroundColor", /must be lighter/],
    [{ dotsColor: "#eee", backgroundColor: "transparent" }, "dotsColor", /must be darker/],
    [{ cornerColor: "yellow" }, "cornerColor", /must be darker/],
    [{ dotsColor: "navy", backgroundColor: "#ddd", cornerColor: "#bbb" }, "cornerColor", /must be darker/],
  ];
  let id: string;
  let hash: string;
  const setColors = (colorConfig: object) =>
    env.DB.prepare("UPDATE qr_codes SET color_config = ? WHERE id = ?")
      .bind(JSON.stringify(colorConfig), id)
      .run();
  beforeAll(async () => {
    ({ id, hash } = await client.createQr());
  });

  it.each(cases)(
    "%j is refused when it is saved, and when it is drawn",
    async (colorConfig, field, words) => {
      const error = await refusal(await create(colorConfig));
      expect(error).toMatch(new RegExp(`^colorConfig\\.${field} `));
      expect(error).toMatch(words);
      await setColors({});
      expect(await refusal(await client.send("PATCH", `/qr/${id}`, { colorConfig }))).toBe(error);
      // Codes created before this rule may have such colours.
      await setColors(colorConfig);
      expect(await refusal(await client.send("GET", `/qr/${id}/image`))).toBe(error);
      expect(await refusal(await service.fetch(`/${hash}.png`))).toBe(error);
      // Such a code can still be renamed.
      expect((await client.send("PATCH", `/qr/${id}`, { name: "Pale" })).status).toBe(200);
    },
  );

  it("begins just below 3:1", async () => {
    expect((await create({ dotsColor: "#949494" })).status).toBe(201);
    expect((await create({ dotsColor: "#959595" })).status).toBe(400);
  });
});
