import { exports } from "cloudflare:workers";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { choosesShortName, type Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../../src/contract/endpoints/index.ts";
import { EventKind, QrType } from "../../../src/contract/resources/enums.ts";
import { permissions } from "../../../src/contract/roles.ts";

interface Answer {
  readonly $ref?: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, { schema: { $ref?: string } }>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly security: Record<string, string[]>[];
  readonly "x-required-scope"?: string;
  readonly "x-required-role"?: string;
  readonly parameters: { in: string; name: string; required?: boolean; schema: Record<string, unknown> }[];
  readonly requestBody?: Answer;
  readonly responses: Record<string, Answer>;
}

interface Union {
  readonly oneOf: { readonly $ref: string }[];
  readonly discriminator: { readonly propertyName: string; readonly mapping: Record<string, string> };
}

interface Document {
  readonly openapi: string;
  readonly servers: { url: string }[];
  readonly tags: { name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, Answer>;
    readonly securitySchemes: Record<string, object>;
  };
}

const get = (path: string, init?: RequestInit) =>
  exports.default.fetch(`http://localhost:8787/api/v1${path}`, init);
const table = Object.entries<Endpoint>(endpoints);

describe("the document", () => {
  let document: Document;
  const operationOf = ({ path, method }: Endpoint) => document.paths[path]?.[method];
  const jsonSchema = (answer: Answer | undefined) => answer?.content?.["application/json"]?.schema;

  beforeAll(async () => {
    document = await (await get("/openapi.json")).json();
  });

  it("is valid by the official OpenAPI schema", async () => {
    const verdict = await validate(
      "https://spec.openapis.org/oas/3.1/schema-base",
      document as never,
      "BASIC",
    );
    expect(verdict).toMatchObject({ valid: true });
  });

  it("has nothing that generators of clients choke on: patterns with look-around, constants without an enum", () => {
    const patterns: string[] = [];
    const constants: (readonly [constant: unknown, choices: unknown])[] = [];
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { pattern, const: constant, enum: choices } = value as Record<string, unknown>;
      if (typeof pattern === "string") patterns.push(pattern);
      if (constant !== undefined) constants.push([constant, choices]);
      for (const part of Object.values(value)) look(part);
    };
    look(document);
    expect(patterns.length).toBeGreaterThan(20);
    // RE2, which Go and Rust use, has neither look-around nor references to groups.
    expect(patterns.filter((pattern) => /\(\?[=!<]|\\[1-9k]/.test(pattern))).toEqual([]);
    expect(constants.length).toBeGreaterThan(20);
    expect(constants.filter(([constant]) => typeof constant !== "string")).toEqual([]);
    expect(constants).toEqual(constants.map(([constant]) => [constant, [constant]]));
  });

  it("is public and cacheable", async () => {
    const response = await get("/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  });

  it.each(["/openapi.json", "/docs"])("is not sent again to who has it, nor made again: %s", async (path) => {
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await first.text()).length).toBeGreaterThan(50_000);
    const digest = vi.spyOn(crypto.subtle, "digest");
    const again = await get(path, { headers: { "if-none-match": `"other", W/${etag}` } });
    const digested = digest.mock.calls.filter(([, data]) => data.byteLength > 50_000);
    expect([again.status, await again.text(), digested]).toEqual([304, "", []]);
    digest.mockRestore();
  });

  it("is OpenAPI 3.1 of this origin's /api/v1, for holders of a key, a session or the operator's secret", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: "http://localhost:8787/api/v1" }]);
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: "http", scheme: "bearer" },
      sessionToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      sessionCookie: { type: "apiKey", in: "cookie", name: "session" },
      operator: { type: "http", scheme: "bearer" },
    });
  });

  it("has the endpoints of the table and no others", () => {
    const documented = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(documented.sort()).toEqual(table.map(([id]) => id).sort());
  });

  it.each(table)("describes %s", (id, endpoint) => {
    const operation = operationOf(endpoint);
    expect(operation).toMatchObject({
      operationId: id,
      tags: [endpoint.tag],
      summary: endpoint.summary,
      security: securityOf(endpoint),
    });
    expect(operation?.["x-required-scope"] ?? null).toBe("scope" in endpoint ? endpoint.scope : null);
    expect(operation?.["x-required-role"]).toBe(
      endpoint.auth === "session" ? permissions[endpoint.permission].role : undefined,
    );
    expect(document.tags).toContainEqual(expect.objectContaining({ name: endpoint.tag }));
    const uploads = endpoint.upload ?? (endpoint.body && { "application/json": endpoint.body });
    // Many client generators support one media type.
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(
      Object.keys(uploads ?? {}).slice(0, 1),
    );
    expect(jsonSchema(operation?.requestBody)).toEqual(refTo(uploads?.["application/json"]));
    const answer = operation?.responses[endpoint.status];
    expect(Object.keys(answer?.content ?? {})).toEqual(endpoint.stream ?? ["application/json"]);
    if (endpoint.stream === undefined) expect(jsonSchema(answer)).toEqual(refTo(endpoint.response));
    const rate = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    const isReplayable = endpoint.auth === "key" && endpoint.idempotent;
    const headers = [
      ...(endpoint.tagged || (endpoint.versioned && endpoint.method !== "delete") ? ["etag"] : []),
      ...(endpoint.auth === "operator" ? [] : rate),
      "x-request-id",
      ...(isReplayable ? ["idempotent-replayed"] : []),
      ...Object.keys(endpoint.headers ?? {}),
      ...(uploads?.["application/json"] === undefined ? [] : ["x-ignored-fields"]),
      ...(choosesShortName(endpoint) ? ["x-warnings"] : []),
    ];
    expect(Object.keys(operation?.responses[endpoint.status]?.headers ?? {})).toEqual(headers);
    const statuses = new Set<number>([endpoint.status, ...endpoint.errors, 400, 401, 429, 500, 503]);
    if (endpoint.tagged) statuses.add(304);
    if (endpoint.creates) statuses.add(201);
    if (endpoint.versioned && endpoint.method !== "post") statuses.add(412);
    if (endpoint.preview !== undefined) statuses.add(200);
    if (endpoint.auth !== "operator") statuses.add(403);
    expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...statuses].map(String).sort());
    if (endpoint.failure !== undefined) {
      const anyOf = [refTo(endpoint.failure), { $ref: "#/components/schemas/Error" }];
      expect(jsonSchema(operation?.responses[503])).toEqual({ anyOf });
    }
  });

  it.each(["QrData", "QrDataInput"])("has a %s for each type of code, discriminated by `type`", (name) => {
    const union = document.components.schemas[name] as Union;
    expect(union.discriminator.propertyName).toBe("type");
    expect(Object.keys(union.discriminator.mapping)).toEqual(QrType.options);
    expect(union.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(union.discriminator.mapping));
    for (const [type, ref] of Object.entries(union.discriminator.mapping)) {
      const shape = document.components.schemas[ref.replace("#/components/schemas/", "")];
      expect(shape).toMatchObject({ properties: { type: { const: type } }, description: expect.any(String) });
    }
    for (const each of name === "QrData" ? ["Qr"] : ["QrCreateInput", "QrUpdateInput", "QrPutInput"]) {
      const data = { $ref: `#/components/schemas/${name}` };
      expect(document.components.schemas[each]).toMatchObject({ properties: { data } });
    }
  });

  it("has the body of each kind of delivery, with the fields of the API's resources", () => {
    const { webhooks, components } = document;
    expect(Object.keys(webhooks)).toEqual([...EventKind.options, "batch"]);
    expect(webhooks["qr.scanned"]?.post?.operationId).toBe("receiveQrScannedEvent");
    expect(webhooks.batch?.post?.operationId).toBe("receiveBatchEvent");
    const schemaOf = (ref = "") => components.schemas[ref.replace("#/components/schemas/", "")];
    const payloadOf = (kind: string) => schemaOf(jsonSchema(webhooks[kind]?.post?.requestBody)?.$ref);
    expect(payloadOf("qr.created")).toMatchObject({
      properties: { event: { const: "qr.created" }, data: { $ref: "#/components/schemas/Qr" } },
    });
    expect(schemaOf("#/components/schemas/ScannedData")).toMatchObject({
      required: expect.arrayContaining(["id"]),
    });
    expect(payloadOf("batch")).toMatchObject({
      properties: { events: { items: { required: ["id", "event", "createdAt", "data"] } } },
    });
  });

  it("has no broken references", () => {
    const text = JSON.stringify(document);
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      const components: Record<string, object> = document.components[kind as "schemas"];
      expect(components, `${kind} ${name}`).toHaveProperty(name ?? "");
    }
  });

  it("has only text in headers, as clients have", () => {
    const headers = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ parameters = [] }) => parameters.filter(({ in: place }) => place === "header"));
    expect(headers.length).toBeGreaterThan(0);
    expect(headers.filter(({ schema }) => schema.type !== "string")).toEqual([]);
  });

  it("says that images and the file of a bulk job are no text", () => {
    const image = operationOf(endpoints.getQrImage)?.responses[200]?.content;
    const file = operationOf(endpoints.createBulkFromCsv)?.requestBody?.content;
    for (const content of [image?.["image/png"], file?.["text/csv"]]) {
      expect(content?.schema).toMatchObject({ type: "string", format: "binary" });
    }
  });

  it("answers every error with the same body", () => {
    const { NotModified, OtherVersion, ...errors } = document.components.responses;
    expect(NotModified?.content).toBeUndefined();
    expect(jsonSchema(OtherVersion)).toEqual({ $ref: "#/components/schemas/OtherVersion" });
    for (const answer of Object.values(errors)) {
      expect(jsonSchema(answer)).toEqual({ $ref: "#/components/schemas/Error" });
    }
    // Requests with a wrong credential are not counted, so these errors may have no rate headers.
    const uncounted = {
      "retry-after": { required: true },
      "x-ratelimit-limit": { schema: { type: "integer" } },
    };
    expect(document.components.responses.RateLimited?.headers).toMatchObject(uncounted);
    expect(document.components.responses.Unavailable?.headers).toMatchObject(uncounted);
  });

  it("describes the errors of the operator's endpoints, which are not counted, without rate headers", () => {
    for (const [, endpoint] of table.filter(([, { auth }]) => auth === "operator")) {
      for (const answer of Object.values(operationOf(endpoint)?.responses ?? {})) {
        const name = answer.$ref?.replace("#/components/responses/", "");
        const { headers = {} } = name === undefined ? answer : (document.components.responses[name] ?? {});
        expect(Object.keys(headers)).toContain("x-request-id");
        expect(Object.keys(headers).filter((header) => header.startsWith("x-ratelimit"))).toEqual([]);
      }
    }
  });

  it("has the type of a bulk job's items", () => {
    expect(document.components.schemas.BulkInput).toMatchObject({
      properties: { items: { type: "array", items: { $ref: "#/components/schemas/QrCreateInput" } } },
    });
  });

  it("describes the parameters as clients see them", () => {
    const list = operationOf(endpoints.listQr)?.parameters ?? [];
    expect(list.map(({ name }) => name)).toEqual([
      "folderId",
      "tag",
      "qrType",
      "status",
      "q",
      "externalId",
      "hash",
      "scanUrl",
      "destination",
      "destinationHost",
      "scanned",
      "scannedBefore",
      "scannedAfter",
      "sort",
      "order",
      "include",
      "cursor",
      "limit",
    ]);
    expect(list.every((parameter) => parameter.in === "query" && !parameter.required)).toBe(true);
    expect(list.find(({ name }) => name === "limit")?.schema).toMatchObject({
      type: "integer",
      minimum: 1,
      default: 25,
      description: expect.stringContaining("100"),
    });
    expect(operationOf(endpoints.getQr)?.parameters).toEqual([
      { in: "path", name: "id", required: true, schema: { type: "string", format: "uuid" } },
      expect.objectContaining({ in: "header", name: "If-Match" }),
    ]);
    for (const endpoint of [endpoints.suspendQr, endpoints.liftQr]) {
      const description = "The id or the hash of the QR code";
      expect(operationOf(endpoint)?.parameters).toEqual([
        { in: "path", name: "id", required: true, description, schema: { type: "string", description } },
      ]);
    }
    expect(operationOf(endpoints.createQr)?.parameters).toMatchObject([
      { in: "header", name: "Idempotency-Key", schema: { type: "string", maxLength: 255 } },
    ]);
  });
});

function securityOf(endpoint: Endpoint): object[] {
  if (endpoint.auth === "operator") return [{ operator: [] }];
  const session = endpoint.auth === "key" ? [] : [{ sessionToken: [] }, { sessionCookie: [] }];
  return "scope" in endpoint ? [{ apiKey: [] }, ...session] : session;
}

/** A schema of the contract, as the document refers to it. */
function refTo(schema: Endpoint["body"]): unknown {
  return schema && { $ref: `#/components/schemas/${schema.meta()?.id}` };
}

/** HTML with its quotes unescaped. */
const plain = (html: string) =>
  html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

describe("the page", () => {
  let page: string;
  /** The pages of groups and of schemas, by their paths. */
  const pages = new Map<string, string>();
  /** The same with their quotes unescaped. */
  let readable: string;
  let headers: Headers;

  beforeAll(async () => {
    const response = await get("/docs");
    expect(response.status).toBe(200);
    headers = response.headers;
    page = await response.text();
    const paths = new Set(
      [...page.matchAll(/href="\/api\/v1(\/docs\/[a-z-]+)/g)].map(([, path = ""]) => path),
    );
    for (const path of paths) pages.set(`/api/v1${path}`, await (await get(path)).text());
    readable = plain([...pages.values()].join(""));
  });

  it("is public and cacheable HTML", () => {
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
  });

  it("loads its script, fonts and icon from this service, and nothing else", async () => {
    const script = '<script src="/api/v1/docs/reference.js" defer=""></script>';
    const icon = '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>';
    expect(page).toContain(script);
    const fonts = [...page.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url);
    expect(fonts).toEqual(["/api/v1/docs/inter.woff2", "/api/v1/docs/plex-mono.woff2"]);
    const rest = page
      .replace(script, "")
      .replace(icon, "")
      .replace(/url\([^)]*\)/g, "");
    expect(rest).not.toMatch(/<(script|link|img|iframe|object|embed|form)\b/i);
    expect(rest).not.toMatch(/\s(src|srcset|on\w+|style)=|@import|javascript:/i);
    const paths = ["/api/v1/docs/reference.js", ...fonts].map((path) => path?.slice("/api/v1".length) ?? "");
    const loaded = await Promise.all(paths.map((path) => get(path)));
    expect(loaded.map(({ status, headers: found }) => [status, found.get("content-type")])).toEqual([
      [200, "text/javascript; charset=utf-8"],
      [200, "font/woff2"],
      [200, "font/woff2"],
    ]);
  });

  it("allows by its policy only its own styles, script and fonts", async () => {
    const styles = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? "";
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(styles)));
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${btoa(String.fromCharCode(...digest))}'; ` +
        "script-src 'self'; font-src 'self'; img-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it.each(table)("has %s, with a command to copy", (id, endpoint) => {
    const { method, path, summary, auth } = endpoint;
    const article = new RegExp(`<article id="${id}".*?</article>`, "s").exec(readable)?.[0] ?? "";
    const [title = "", rest = ""] = summary.split(/[;:] /);
    const heading = /<h3[^>]*><a href="#(\w+)">(.*?)<\/a><\/h3>/.exec(article) ?? [];
    expect([heading[1], heading[2]?.replace(/<[^>]*>/g, "")]).toEqual([id, title.replaceAll("`", "")]);
    expect(article.replace(/<[^>]*>/g, "").toLowerCase()).toContain(rest.replaceAll("`", "").toLowerCase());
    expect(article).toContain(`>${method.toUpperCase()}</span> ${path}</code>`);
    const address = `http://localhost:8787/api/v1${path.replace(/\{(\w+)\}/g, (_, name) => `$${name.replace(/([A-Z])/g, "_$1").toUpperCase()}`)}`;
    expect(article).toMatch(/<code>curl /);
    expect(article.replace(/\?(sums=keep|externalId=[^"]*)"/, '"')).toContain(`${address}"`);
    const credential = "scope" in endpoint ? "API_KEY" : auth === "operator" ? "OPERATOR_SECRET" : "TOKEN";
    expect(article).toContain(`Authorization: Bearer $${credential}"`);
    expect(page).toMatch(new RegExp(`<li id="${id}"><a href="/api/v1/docs/[a-z-]+#${id}">`));
  });

  it.each(["QrData", "QrDataInput"])("has a row for each type's %s, with the result of a scan", (name) => {
    const article = new RegExp(`<article id="schema-${name}".*?</article>`, "s").exec(readable)?.[0] ?? "";
    for (const type of QrType.options) {
      const row = new RegExp(`<th scope="row"><code>${type}</code></th>.*?</tr>`, "s").exec(article)?.[0];
      expect(row).toMatch(new RegExp(`href="/api/v1/docs/schemas#schema-QrData${type}(?:Input)?"`, "i"));
      expect(row).toMatch(/<span>A scan [^<]+\.<\/span>/);
    }
  });

  it("has the target of each link exactly once, also of links to all on one page", async () => {
    const first = "/api/v1/docs";
    const idsOf = (html = "") => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    const all = new Map([[first, page], ...pages].map(([path, html]) => [path, idsOf(html)]));
    for (const [path, html] of [[first, page] as const, ...pages]) {
      const ids = all.get(path) ?? [];
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, at = "", target] of html.matchAll(/href="(\/api\/v1\/docs[^"#]*)?#([^"]+)"/g)) {
        expect([at, all.get(at === "" ? path : at)]).toEqual([at, expect.arrayContaining([target])]);
      }
      const elsewhere = [...html.matchAll(/href="(?!\/api\/v1\/docs)([^#"][^"]*)"/g)].map(
        ([, target]) => target,
      );
      const others = path === first ? ["/dashboard", "/api/v1/openapi.json", "/llms.txt"] : [];
      expect(elsewhere).toEqual(["/favicon.svg", ...others]);
      expect(html.match(/<[a-z]/g)?.length).toBeLessThan(20_000);
    }
    expect((await get("/docs/no-such-group")).status).toBe(404);
  });
});
