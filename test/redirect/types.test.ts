import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { QrData } from "../../src/contract/resources/codes/qr-data.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { line, stored, text } from "../support/hard-text.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { promptQueue } from "../support/scans/prompt-queue.ts";
import { type Client, phone, Service } from "../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const userAgents = {
  iPhone: phone,
  iPad: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
  iPadChrome:
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
  pixel:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  macChrome:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  macFirefox: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
  windows:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
};
type Agent = keyof typeof userAgents;

const create = (data: QrData) => client.createQr({ qrType: data.type, data });
const change = (qr: Qr, data: QrData) => client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { data });

const locationFor = async (qr: Qr, agent: Agent) => {
  const response = await service.scan(qr.hash, { "user-agent": userAgents[agent] });
  expect(response.status).toBe(302);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response.headers.get("location");
};

/** The fields of a URI's query, percent-decoded; a plus sign is no space. */
function queryFields(uri: string): Record<string, string> {
  const query = uri.includes("?") ? uri.slice(uri.indexOf("?") + 1) : "";
  expect(query).toMatch(/^[A-Za-z0-9\-._~%!$'()*,:@/?=&]*$/);
  return Object.fromEntries(
    query.split("&").map((field) => field.split("=").map(decodeURIComponent) as [string, string]),
  );
}

/** The URI that a page opens, by its button and equally by its refresh, with HTML entities decoded. */
async function openedUri(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  const html = await response.text();
  const decode = (attribute: string | undefined) =>
    attribute?.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const button = decode(/<a class="button" href="([^"]*)">/.exec(html)?.[1]);
  expect(decode(/<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html)?.[1])).toBe(button);
  return button ?? "";
}

describe("a redirect", () => {
  it("of an applink goes to the URL of the platform, or to the fallback", async () => {
    const qr = await create({
      type: "applink",
      ios: "apps.apple.com/app/id1",
      android: "https://play.google.com/store/apps/details?id=com.example",
      fallback: "bücher.example",
    });
    const ios = "https://apps.apple.com/app/id1";
    const android = "https://play.google.com/store/apps/details?id=com.example";
    const fallback = "https://xn--bcher-kva.example/";
    const expected: Record<Agent, string> = {
      iPhone: ios,
      iPad: ios,
      iPadChrome: ios,
      pixel: android,
      macChrome: fallback,
      macFirefox: fallback,
      windows: fallback,
    };
    for (const agent of Object.keys(expected) as Agent[]) {
      expect([agent, await locationFor(qr, agent)]).toEqual([agent, expected[agent]]);
    }
    expect((await service.fetch(`/${qr.hash}`)).headers.get("location")).toBe(fallback);
    await change(qr, { type: "applink", fallback: "example.com/app" });
    for (const agent of ["iPhone", "pixel"] as const) {
      expect(await locationFor(qr, agent)).toBe("https://example.com/app");
    }
  });

  it("of whatsapp goes to the chat with the message filled in", async () => {
    const qr = await create({ type: "whatsapp", phone: "+49 151 / 23456789", message: text });
    const location = (await locationFor(qr, "pixel")) ?? "";
    expect(location.split("?")[0]).toBe("https://wa.me/4915123456789");
    expect(queryFields(location)).toEqual({ text: stored });
    expect(new URL(location).href).toBe(location.replaceAll("'", "%27"));
    await change(qr, { type: "whatsapp", phone: "+1 212 555 2368" });
    expect(await locationFor(qr, "pixel")).toBe("https://wa.me/12125552368");
  });

  it.each(["durov", "@durov", "t.me/durov", "https://t.me/durov"])("of telegram %s", async (username) => {
    const qr = await create({ type: "telegram", username });
    expect(await locationFor(qr, "iPhone")).toBe("https://t.me/durov");
  });

  it("of a location goes to Apple Maps with the label on Apple devices, and to Google Maps on others", async () => {
    const qr = await create({ type: "location", latitude: 52.516275, longitude: -13.5, label: line });
    const apple = (await locationFor(qr, "iPhone")) ?? "";
    expect(apple).toMatch(/^https:\/\/maps\.apple\.com\/\?/);
    expect(queryFields(apple)).toEqual({ ll: "52.516275,-13.5", q: line });
    expect(await locationFor(qr, "pixel")).toBe(
      "https://www.google.com/maps/search/?api=1&query=52.516275%2C-13.5",
    );
    for (const [latitude, formatted] of [
      [-0, "0"],
      [1e-7, "0"],
      [0.0000015, "0.000002"],
      [90, "90"],
      [-89.12345678, "-89.123457"],
    ] as const) {
      await change(qr, { type: "location", latitude, longitude: 180 });
      expect(queryFields((await locationFor(qr, "windows")) ?? "").query).toBe(`${formatted},180`);
    }
  });
});

describe("a page that opens an app", () => {
  it("of sms has a URI as RFC 5724 defines it", async () => {
    const qr = await create({ type: "sms", phone: "+49 151 23456789", message: "Hallo Welt\nä" });
    expect(await openedUri(await service.scan(qr.hash, { "user-agent": userAgents.pixel }))).toBe(
      "sms:+4915123456789?body=Hallo%20Welt%0D%0A%C3%A4",
    );
    // An iPhone would open that one without the message.
    expect(await openedUri(await service.scan(qr.hash))).toBe(
      "sms:+4915123456789?&body=Hallo%20Welt%0D%0A%C3%A4",
    );
    await change(qr, { type: "sms", phone: "+49 151 23456789", message: text });
    expect(queryFields(await openedUri(await service.scan(qr.hash)))).toEqual({
      body: stored.replaceAll("\n", "\r\n"),
    });
    await change(qr, { type: "sms", phone: "+4915123456789" });
    expect(await openedUri(await service.scan(qr.hash))).toBe("sms:+4915123456789");
  });

  it("of email has a URI as RFC 6068 defines it", async () => {
    const qr = await create({ type: "email", to: "ada+qr@example.com", subject: "Zwei Worte", body: "a\nb" });
    expect(await openedUri(await service.scan(qr.hash))).toBe(
      "mailto:ada%2Bqr@example.com?subject=Zwei%20Worte&body=a%0D%0Ab",
    );
    await change(qr, {
      type: "email",
      to: "gorby%kremvax&co@käse.example",
      subject: line,
      body: text,
      cc: "b@example.com",
      bcc: "c'd@example.com",
    });
    const uri = await openedUri(await service.scan(qr.hash));
    expect(uri).toMatch(/^mailto:gorby%25kremvax%26co@k%C3%A4se\.example\?/);
    expect(queryFields(uri)).toEqual({
      subject: line,
      body: stored.replaceAll("\n", "\r\n"),
      cc: "b@example.com",
      bcc: "c'd@example.com",
    });
    await change(qr, { type: "email", to: "ada@example.com" });
    expect(await openedUri(await service.scan(qr.hash))).toBe("mailto:ada@example.com");
  });

  it("is not cached, cannot run scripts, and shows the message as escaped text", async () => {
    const qr = await create({ type: "email", to: "ada@example.com", body: text });
    const response = await service.scan(qr.hash);
    const html = await response.clone().text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('name="viewport"');
    expect(html).not.toMatch(/<(script|b|img|link|iframe|form)\b|\son\w+=|\sstyle=/i);
    expect(html).toContain("Käse &amp; &quot;Wein&quot;; &#39;gut&#39;, 50% + &lt;b&gt;\\n #1? 🍕");
    const styles = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? "";
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(styles)));
    const policy =
      `default-src 'none'; style-src 'sha256-${btoa(String.fromCharCode(...digest))}'; img-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    expect(response.headers.get("content-security-policy")).toBe(policy);
    const notFound = await service.fetch("/00000000");
    expect(notFound.headers.get("content-security-policy")).toBe(policy);
    expect(await notFound.text()).toContain(styles);
  });
});

const isPage = (type: QrData["type"]) => type === "sms" || type === "email";

describe("every type", () => {
  const codes: QrData[] = [
    { type: "url", url: "https://example.com/" },
    { type: "applink", ios: "https://a.example/", fallback: "https://b.example/" },
    { type: "vcard", firstName: "Ada" },
    { type: "sms", phone: "+4930901820", message: "Hi" },
    { type: "whatsapp", phone: "+4930901820" },
    { type: "email", to: "ada@example.com" },
    { type: "location", latitude: 1, longitude: 2 },
    { type: "telegram", username: "durov" },
  ];

  /** One that redirects, one that opens an app, and one that is a file. */
  const kinds = oneOfEach(codes, ({ type }) =>
    type === "vcard" ? "file" : isPage(type) ? "page" : "redirect",
  );

  it.each(kinds)(
    "$type has the same response from memory, the cache and the catalogue, and to HEAD without a body",
    async (data) => {
      const qr = await create(data);
      const scan = async (at: Service, method = "GET") => {
        const response = await at.fetch(`/${qr.hash}`, { method, headers: { "user-agent": phone } });
        return { status: response.status, headers: [...response.headers], body: await response.text() };
      };
      const first = await scan(service);
      expect(await scan(service)).toEqual(first);
      expect(await scan(new Service())).toEqual(first);
      await env.ROUTES.delete(qr.hash);
      expect(await scan(new Service())).toEqual(first);
      expect(await scan(service, "HEAD")).toEqual({ ...first, body: "" });
      await client.send("PATCH", `/qr/${qr.id}`, { status: "paused" });
      expect((await scan(service)).status).toBe(404);
    },
  );

  it.each(kinds)("$type counts each GET once, and no HEAD", async (data) => {
    const qr = await create(data);
    const edge = new Service({ scanQueue: promptQueue });
    await edge.fetch(`/${qr.hash}`, { method: "HEAD", headers: { "user-agent": phone } });
    await edge.scan(qr.hash);
    await edge.scan(qr.hash);
    const { stats } = await client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans`);
    expect(stats).toEqual({ total: 2, uniqueVisitors: 1 });
  });
});
