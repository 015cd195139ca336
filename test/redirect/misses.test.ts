import { expect, it } from "vitest";
import { newHash } from "../../src/lib/text/hash.ts";
import { Service } from "../support/service.ts";

it("throttles a client address that guesses hashes, except for codes that exist", async () => {
  const service = new Service();
  const client = await service.workspace();
  const qr = await client.createQr();
  const headers = { "cf-connecting-ip": "192.0.2.66" };
  const statuses: number[] = [];
  for (let i = 0; i < 110; i += 1) statuses.push((await service.scan(newHash(), headers)).status);
  expect(statuses.slice(0, 101).every((status) => status === 404)).toBe(true);
  expect(statuses.slice(101).every((status) => status === 429)).toBe(true);

  const existing = await Promise.all(Array.from({ length: 200 }, () => service.scan(qr.hash, headers)));
  expect(existing.map(({ status }) => status)).toEqual(existing.map(() => 302));
  expect((await service.scan(newHash(), { "cf-connecting-ip": "192.0.2.67" })).status).toBe(404);
});
