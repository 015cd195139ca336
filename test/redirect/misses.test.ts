import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newHash } from "../../src/lib/text/hash.ts";
import { Service } from "../support/service.ts";

it("throttles a client address that guesses hashes, except for codes that exist", async () => {
  const counted: string[] = [];
  const service = new Service({
    unknownHashLimit: {
      limit: (options) => {
        counted.push(options.key);
        return env.UNKNOWN_HASHES.limit(options);
      },
    },
  });
  const client = await service.workspace();
  const qr = await client.createQr();
  const headers = { "cf-connecting-ip": "192.0.2.66" };
  const guess = async () => (await service.scan(newHash(), headers)).status;
  const statuses = [await guess()];
  const [key = ""] = counted;
  // Counted as the next 95 guesses would be.
  for (let i = 0; i < 95; i += 1) await env.UNKNOWN_HASHES.limit({ key });
  for (let i = 96; i < 105; i += 1) statuses.push(await guess());
  expect(statuses).toEqual([...Array(6).fill(404), ...Array(4).fill(429)]);

  const existing = await Promise.all(Array.from({ length: 20 }, () => service.scan(qr.hash, headers)));
  expect(existing.map(({ status }) => status)).toEqual(existing.map(() => 302));
  expect((await service.scan(newHash(), { "cf-connecting-ip": "192.0.2.67" })).status).toBe(404);
});
