import { createHmac } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { eventsOf, SignatureError, verifyWebhook } from "../../../clients/typescript/src/index.ts";

const [secret, old] = ["whsec_new", "whsec_old"];
const now = Date.parse("2026-01-31T09:30:00Z");
const seconds = now / 1_000;
const scanned = {
  event: "qr.scanned",
  deliveryId: "01973c1e-5a00-7c3e-9d0b-6a1f2e3d4c5b",
  createdAt: "2026-01-31T09:29:59.000Z",
  data: { id: "1", qrId: "2", hash: "k3v9x2ab", city: "Zürich" },
};
const body = JSON.stringify(scanned);

const hmac = (key: string, time: number, text: string) =>
  createHmac("sha256", key).update(`${time}.${text}`).digest("hex");
const header = (time: number, ...signatures: string[]) =>
  [`t=${time}`, ...signatures.map((each) => `v1=${each}`)].join(",");
const signed = (text: string, time = seconds, key = secret) => ({
  body: text,
  headers: { "X-Service-Signature": header(time, hmac(key, time, text)) },
});

describe("a webhook's request", () => {
  it("is read from each kind of request", async () => {
    const { headers } = signed(body);
    const bytes = new TextEncoder().encode(body);
    const kinds = [
      signed(body),
      { body: bytes, headers: new Headers(headers) },
      { body: bytes.buffer, headers: { "x-service-signature": headers["X-Service-Signature"] } },
      { body: Buffer.from(bytes), headers: { "x-service-signature": [headers["X-Service-Signature"]] } },
      new Request("https://shop.example/hook", { method: "POST", body, headers }),
    ];
    for (const each of kinds) expect(await verifyWebhook(each, secret, { now })).toEqual(scanned);
  });

  it("may be signed with any of several secrets, and carry several signatures", async () => {
    const both = header(seconds, hmac(secret, seconds, body), hmac(old, seconds, body));
    for (const secrets of [secret, old, [secret, old], ["whsec_other", old]]) {
      const request = { body, headers: { "x-service-signature": both } };
      expect(await verifyWebhook(request, secrets, { now })).toEqual(scanned);
    }
  });

  it("is taken where Stripe's library takes it, and nowhere else", async () => {
    const signature = hmac(secret, seconds, body);
    const cases: Record<string, readonly [header: string, body: string]> = {
      genuine: [header(seconds, signature), body],
      "with another scheme beside it": [`t=${seconds},v0=00,v1=${signature}`, body],
      "with another body": [header(seconds, signature), body.replace("1", "2")],
      "with another secret": [header(seconds, hmac(old, seconds, body)), body],
      "with another time": [header(seconds - 1, signature), body],
      "299 seconds old": [header(seconds - 299, hmac(secret, seconds - 299, body)), body],
      "301 seconds old": [header(seconds - 301, hmac(secret, seconds - 301, body)), body],
      "cut off": [header(seconds, signature.slice(0, -2)), body],
      "without a time": [`v1=${signature}`, body],
      "without a signature": [`t=${seconds}`, body],
      empty: ["", body],
    };
    const taken: string[] = [];
    for (const [name, [signatureHeader, text]] of Object.entries(cases)) {
      let byStripe = true;
      try {
        Stripe.webhooks.constructEvent(text, signatureHeader, secret, 300, undefined, now);
      } catch {
        byStripe = false;
      }
      const request = { body: text, headers: { "x-service-signature": signatureHeader } };
      const byClient = await verifyWebhook(request, secret, { now }).then(
        () => true,
        (error) => !(error instanceof SignatureError),
      );
      expect([name, byClient]).toEqual([name, byStripe]);
      if (byClient) taken.push(name);
    }
    expect(taken).toEqual(["genuine", "with another scheme beside it", "299 seconds old"]);
  });

  it("from the future is refused like an old one", async () => {
    await expect(verifyWebhook(signed(body, seconds + 301), secret, { now })).rejects.toThrow(SignatureError);
    const tolerance = { now, tolerance: 600 };
    expect(await verifyWebhook(signed(body, seconds + 301), secret, tolerance)).toEqual(scanned);
  });

  it("can hold a batch", async () => {
    const { deliveryId, createdAt, ...event } = scanned;
    const events = [{ id: "1", createdAt, ...event }];
    const batch = await verifyWebhook(signed(JSON.stringify({ deliveryId, createdAt, events })), secret, {
      now,
    });
    expect(batch).toEqual({ event: "batch", deliveryId, createdAt, events });
    expect(eventsOf(batch)).toEqual(events);
    expect(eventsOf(await verifyWebhook(signed(body), secret, { now }))).toEqual([scanned]);
  });

  it("that was parsed, or an empty secret, is a mistake of the program", async () => {
    const parsed = { ...signed(body), body: scanned as unknown as string };
    await expect(verifyWebhook(parsed, secret, { now })).rejects.toThrow("not parsed JSON");
    await expect(verifyWebhook(signed(body), "", { now })).rejects.toThrow("secret is empty");
  });
});
