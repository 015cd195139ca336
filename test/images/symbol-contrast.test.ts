import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { item } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const dark = ["#5a5a5a", "#707070", "red", "royalblue", "seagreen"];

/** Stores a design as an earlier release did, which asked for less. */
const store = (id: string, backgroundColor: string) =>
  env.DB.prepare("UPDATE qr_codes SET color_config = ? WHERE id = ?")
    .bind(JSON.stringify({ dotsColor: "black", backgroundColor }), id)
    .run();

describe("a background that is too dark for phones", () => {
  it.each(dark)("is refused with its field: %s", async (backgroundColor) => {
    const refused = await client.send("POST", "/qr", { ...item(1), colorConfig: { backgroundColor } });
    expect(await expectError(refused, 400, "invalid_input")).toMatch(
      /^colorConfig\.backgroundColor must be lighter\. It reflects only \d+ % more light than the code, and phones need 30 %\.$/,
    );
    const { id } = await client.createQr();
    const changed = await client.send("PATCH", `/qr/${id}`, {
      colorConfig: { dotsColor: "black", backgroundColor },
    });
    expect(await expectError(changed, 400, "invalid_input")).toMatch(/^colorConfig\.backgroundColor /);
  });

  it.each([
    ["colorConfig.dotsColor", { colorConfig: { dotsColor: "#4a4a4a", backgroundColor: "#9c9c9c" } }],
    ["colorConfig.cornerColor", { colorConfig: { cornerColor: "#4a4a4a", backgroundColor: "#9c9c9c" } }],
    [
      "advanced.gradient.to",
      {
        colorConfig: { backgroundColor: "#9c9c9c" },
        advanced: { gradient: { type: "linear", to: "#4a4a4a" } },
      },
    ],
  ])("names the colour that could be darker: %s", async (field, design) => {
    const refused = await client.send("POST", "/qr", { ...item(1), ...design });
    const error = await expectError(refused, 400, "invalid_input");
    expect(error).toBe(
      `${field} must be darker, or the background lighter. The background reflects only 26 % more light than the code, and phones need 30 %.`,
    );
  });

  it("is accepted from the necessary light on", async () => {
    expect((await client.createQr({ colorConfig: { backgroundColor: "#a0a0a0" } })).readability).toBeNull();
  });

  it("stays in codes that have it: they are drawn, and changed otherwise", async () => {
    const { id, hash } = await client.createQr();
    await store(id, "#707070");
    expect((await service.fetch(`/${hash}.svg`)).status).toBe(200);
    const colors = { dotsColor: "black", backgroundColor: "#707070" };
    for (const change of [{ name: "Another" }, { colorConfig: colors }]) {
      await client.expect(200, Qr, "PATCH", `/qr/${id}`, change);
    }
    const refused = await client.send("PATCH", `/qr/${id}`, { colorConfig: { dotsColor: "#010101" } });
    await expectError(refused, 400, "invalid_input");
    await client.expect(200, Qr, "PATCH", `/qr/${id}`, { colorConfig: { backgroundColor: "white" } });
  });
});
