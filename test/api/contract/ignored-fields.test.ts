import { beforeAll, expect, it } from "vitest";
import { type Client, Service, type SessionClient } from "../../support/service.ts";

const service = new Service();
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.session();
});

const ignoredBy = (answer: Response) => answer.headers.get("x-ignored-fields");
const url = { type: "url", url: "example.com" };

it.each([
  ["none", {}, null],
  ["one of the body", { colour: "red" }, "colour"],
  ["one of an object", { data: { ...url, note: 1 } }, "data.note"],
  ["none of what the client may choose", { advanced: { own: 1 }, colorConfig: { own: "#000" } }, null],
  ["one with a name that no header can have", { "größe, neu\n": 1 }, "gr%C3%B6%C3%9Fe%2C%20neu%0A"],
  ["one of half a character", { "\ud83d": 1 }, "%EF%BF%BD"],
])("names %s", async (_, fields, expected) => {
  const answer = await client.send("POST", "/qr", { qrType: "url", data: url, ...fields });
  expect([answer.status, ignoredBy(answer)]).toEqual([201, expected]);
});

it("cuts a long name, and names at most 20", async () => {
  const fields = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${"x".repeat(50)}${i}`, 1]));
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`own${i}`, 1]));
  const cut = await client.send("POST", "/qr", { qrType: "url", data: url, ...fields });
  expect(ignoredBy(cut)).toBe("x".repeat(40));
  const answer = await client.send("POST", "/qr", { qrType: "url", data: url, ...many });
  expect(ignoredBy(answer)?.split(", ")).toEqual(Array.from({ length: 20 }, (_, i) => `own${i}`));
});

it("names those of lists and of bulk jobs once", async () => {
  const page = await session.send("POST", "/developer/pages", {
    title: "Menu",
    blocks: [
      { type: "text", text: "Soup", size: 3 },
      { type: "text", text: "Bread", size: 4 },
    ],
  });
  expect([page.status, ignoredBy(page)]).toEqual([201, "blocks[].size"]);
  const item = { qrType: "url", data: { ...url, note: 1 }, weight: 3 };
  const job = await client.send("POST", "/qr/bulk", { items: [item, item], comment: "May" });
  expect([job.status, ignoredBy(job)]).toEqual([202, "items[].data.note, items[].weight, comment"]);
});

it("names them in a dry run as well", async () => {
  const { id } = await client.createQr();
  const answer = await client.send("POST", "/qr/bulk-update", {
    ids: [id],
    change: { addTags: ["x"] },
    comment: "May",
    dryRun: true,
  });
  expect(ignoredBy(answer)).toBe("comment");
  expect(await answer.json()).toMatchObject({ matched: 1, ignoredFields: ["comment"] });
});

it("lets pages of other origins read them", async () => {
  const origin = "https://shop.example";
  const key = await service.client(client.workspaceId, ["qr:write"], "publishable", [origin]);
  const answer = await key.send("POST", "/qr", { qrType: "url", data: url }, { origin });
  expect(answer.headers.get("access-control-expose-headers")).toContain("x-ignored-fields");
});
