import { beforeAll, expect, it } from "vitest";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
  await client.createQr({ name: "Grüße" });
});

it.each([
  ["/qr/export", true],
  ["/qr/export?bom=true", true],
  ["/qr/export?format=csv&bom=true", true],
  ["/qr/export?bom=false", false],
  ["/qr/export?bom=false&tag=none", false],
  ["/qr/export?tag=none", true],
  ["/qr/export?format=ndjson", false],
  ["/qr/export?format=ndjson&bom=true", false],
  ["/scans/export", false],
  ["/scans/export?format=ndjson", false],
])("%s begins with a byte order mark: %s", async (path, isMarked) => {
  const answer = await client.send("GET", path);
  expect(answer.status).toBe(200);
  const start = (await answer.bytes()).subarray(0, 3).toHex();
  expect(start === "efbbbf").toBe(isMarked);
});

it.each(["yes", "0", "", "False"])("an export refuses %j for `bom`", async (value) => {
  const answer = await client.send("GET", `/qr/export?bom=${value}`);
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("bom must be true or false"),
  ]);
});
