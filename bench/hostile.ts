import { build } from "../scripts/lib/build.ts";
import { apiKey, codeId, memberCookie, origin } from "../scripts/lib/seed.ts";
import { asSchema, type Document, resolveSchema } from "../src/api/docs/document.ts";
import { endpoints } from "../src/contract/endpoints/index.ts";
import { limits } from "../src/contract/limits.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { formsOf } from "./lib/forms.ts";
import { harmlessText, hostileShapes, hostileTexts, SampleBody } from "./lib/hostile-bodies.ts";
import { median, table } from "./lib/results.ts";
import { Server } from "./load/server.ts";

const fullSizes = {
  body: 900_000,
  // With the other fields as many bytes as a form may have: a larger one is refused.
  form: limits.form.bytes - 8 * 1024,
  query: 15_000,
  repetitions: 3,
  targets: Number.POSITIVE_INFINITY,
};
const smokeSizes: typeof fullSizes = { body: 20_000, form: 20_000, query: 4000, repetitions: 1, targets: 6 };

/** Above this multiple of the time that harmless input takes, and this many milliseconds, input is listed. */
const listed = { ratio: 4, milliseconds: 20 };

/** Fields that a form has in workspaces with a domain. */
const sometimesShown: Readonly<Record<string, readonly string[]>> = {
  "/dashboard/codes/new": ["domain", "aliases"],
};

/** A request with hostile input, and one with as many bytes of harmless input. */
interface Pair {
  readonly target: string;
  readonly shape: string;
  readonly hostile: Input;
  readonly harmless: Input;
}

interface Input {
  readonly path: string;
  readonly init: RequestInit;
}

/**
 * The cost of hostile input: the largest body that each endpoint and form takes, in seven shapes, and addresses with long
 * queries, beside harmless input of as many bytes. One after the other, so that the time is that of the service's CPU.
 */
export const hostile: Benchmark = {
  title: "Hostile input",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    await using server = await Server.start(
      "catalogue",
      { size: 100, scans: 1000, script: await build("src/index.ts") },
      { pinned: !smoke },
    );
    const cookie = await memberCookie();
    const pairs = [
      ...(await ofEndpoints(server, cookie, sizes)),
      ...(await ofForms(server, cookie, sizes)),
      ...ofAgents(sizes.body),
      ...ofAddresses(cookie, sizes.query),
    ];
    const rows: { target: string; shape: string; harmless: number; hostile: number; ratio: number }[] = [];
    for (const { target, shape, ...inputs } of pairs) {
      const time = (input: Input) => milliseconds(server, input);
      // The first request loads its part of the script.
      await time(inputs.harmless);
      const first = { harmless: await time(inputs.harmless), hostile: await time(inputs.hostile) };
      const times = { harmless: [first.harmless], hostile: [first.hostile] };
      // A time far from the bound needn't be measured again.
      if (first.hostile > (listed.ratio * first.harmless) / 2) {
        for (let i = 1; i < sizes.repetitions; i += 1) {
          times.harmless.push(await time(inputs.harmless));
          times.hostile.push(await time(inputs.hostile));
        }
      }
      const [harmless, hostileTime] = [median(times.harmless), median(times.hostile)];
      rows.push({
        target,
        shape,
        harmless,
        hostile: hostileTime,
        ratio: hostileTime / Math.max(harmless, 1),
      });
    }
    rows.sort((a, b) => b.ratio - a.ratio);
    const slow = rows.filter(
      ({ ratio, hostile: time }) => ratio > listed.ratio && time > listed.milliseconds,
    );
    const shown = slow.length === 0 ? rows.slice(0, 5) : slow;
    return (
      `${rows.length} requests with hostile input, beside as many with harmless input of as many bytes. ` +
      `${slow.length} take more than ${listed.ratio} times as long, and more than ${listed.milliseconds} ms` +
      `${slow.length === 0 ? "; the first five:" : ":"}\n\n` +
      table(
        ["input", "shape", "harmless", "hostile", "ratio"],
        shown.map(({ target, shape, harmless, hostile: time, ratio }) => [
          ...[target, shape, `${harmless.toFixed(1)} ms`, `${time.toFixed(1)} ms`],
          `${ratio.toFixed(1)} ×`,
        ]),
      )
    );
  },
};

/** Sends a request. @returns how long the answer took @throws if the service failed */
async function milliseconds(server: Server, { path, init }: Input): Promise<number> {
  const start = performance.now();
  const response = await fetch(server.origin + path, { ...init, redirect: "manual" });
  await response.arrayBuffer();
  const time = performance.now() - start;
  if (response.status === 500) throw new Error(`${init.method ?? "GET"} ${path.slice(0, 80)} answered 500`);
  return time;
}

/** Every endpoint with a JSON body. */
async function ofEndpoints(server: Server, cookie: string, sizes: typeof fullSizes): Promise<Pair[]> {
  const response = await fetch(`${server.origin}/api/v1/openapi.json`);
  const document = (await response.json()) as Document;
  const withBody = Object.values(endpoints).flatMap((endpoint) => {
    const { method, auth } = endpoint;
    const body = document.paths?.[endpoint.path]?.[method]?.requestBody;
    const json = body && resolveSchema(document, body).content["application/json"];
    const schema = json && resolveSchema(document, json).schema;
    const credentials = auth === "key" ? { authorization: `Bearer ${apiKey}` } : { cookie, origin };
    if (schema === undefined || auth === "operator") return [];
    const init = {
      method: method.toUpperCase(),
      headers: { ...credentials, "content-type": "application/json" },
    };
    const path = `/api/v1${endpoint.path.replaceAll(/\{\w+\}/g, codeId(1))}`;
    const target = `${init.method} ${endpoint.path}`;
    return [{ target, path, init, sample: new SampleBody(document, asSchema(schema)) }];
  });
  return withBody.slice(0, sizes.targets).flatMap(({ target, path, init, sample }): Pair[] => {
    const input = (body: string): Input => ({ path, init: { ...init, body } });
    const [longest = []] = sample.texts;
    const texts = sample.texts.flatMap((at) =>
      Object.entries(hostileTexts).map(([shape, text]) => ({
        ...{ target: `${target}, ${at.join(".")}`, shape },
        hostile: input(sample.json(at, text(sizes.body))),
        harmless: input(sample.json(at, harmlessText(sizes.body))),
      })),
    );
    const shapes = Object.entries(hostileShapes).flatMap(([shape, make]) => {
      const body = make(sample.json(), sizes.body);
      const harmless = input(sample.json(longest, harmlessText(sizes.body)));
      return body === undefined ? [] : [{ target, shape, hostile: input(body), harmless }];
    });
    return [...texts, ...shapes];
  });
}

/** Every form of the dashboard that a page with a link to it has. */
async function ofForms(server: Server, cookie: string, sizes: typeof fullSizes): Promise<Pair[]> {
  const headers = { cookie, origin };
  const forms = await formsOf(server.origin, headers, sizes.targets);
  const ending = /sign-out|\/delete|\/leave|\/revoke/;
  const targets = [...forms].filter(([action]) => action.startsWith("/dashboard/") && !ending.test(action));
  return targets.slice(0, sizes.targets).flatMap(([path, fields]): Pair[] => {
    const names = [...fields, ...(sometimesShown[path] ?? [])];
    const input = (pairs: readonly (readonly [string, string])[]): Input => ({
      path,
      init: { method: "POST", headers, body: new URLSearchParams(pairs.map((each) => [...each])) },
    });
    const others = (name: string) =>
      names.filter((each) => each !== name).map((each) => [each, "a"] as const);
    const texts = names.flatMap((name) =>
      Object.entries({ ...hostileTexts, lines: (bytes: number) => "a \n ".repeat(bytes / 4) }).map(
        ([shape, text]) => ({
          ...{ target: `form ${path}, ${name}`, shape },
          hostile: input([...others(name), [name, inForm(text, sizes.form)]]),
          harmless: input([...others(name), [name, inForm(harmlessText, sizes.form)]]),
        }),
      ),
    );
    const many = (of: (i: number) => string) =>
      Array.from({ length: sizes.form / 12 }, (_, i) => [of(i), "1"] as const);
    const [first = "name"] = names;
    const harmless = input([...others(first), [first, inForm(harmlessText, sizes.form)]]);
    const shapes = {
      "unknown names": many((i) => `unknown${i}`),
      duplicates: many(() => first),
      nesting: many((i) => `${first}.${i}.${first}`),
    };
    return [
      ...texts,
      ...Object.entries(shapes).map(([shape, pairs]) => ({
        ...{ target: `form ${path}`, shape, harmless },
        hostile: input([...others(first), ...pairs]),
      })),
    ];
  });
}

/** Makes a text that has so many bytes in a form. */
function inForm(make: (bytes: number) => string, bytes: number): string {
  const sample = make(1200);
  const encoded = new URLSearchParams([["", sample]]).toString().length - 1;
  return make(Math.floor((bytes * sample.length) / encoded));
}

/** Messages of agents. */
function ofAgents(bytes: number): Pair[] {
  const message = (name: string) => {
    const codes = [{ qrType: "url", data: { type: "url", url: "example.com" }, name }];
    const params = { name: "create_codes", arguments: { codes } };
    return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  };
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const input = (body: string): Input => ({ path: "/mcp", init: { method: "POST", headers, body } });
  const harmless = input(message(harmlessText(bytes)));
  const invalid = message("a").replace("[{", `[${"{},".repeat(bytes / 3)}{`);
  return [
    { target: "POST /mcp", shape: "invalid codes", hostile: input(invalid), harmless },
    ...Object.entries(hostileShapes).flatMap(([shape, make]) => {
      const body = make(message("a"), bytes);
      return body === undefined ? [] : [{ target: "POST /mcp", shape, harmless, hostile: input(body) }];
    }),
  ];
}

/** Long queries of what strangers and members open. */
function ofAddresses(cookie: string, bytes: number): Pair[] {
  const paths = ["/nosuchqr", "/nosuchqr.svg", "/nosuchqr.png", "/", "/report", "/healthz", "/embed/demo"];
  const own = [
    "/api/v1/qr",
    "/api/v1/scans/export",
    "/dashboard/codes",
    "/dashboard/codes/new",
    "/dashboard/go",
  ];
  const queries = {
    duplicates: "a&".repeat(bytes / 2),
    "unknown names": Array.from({ length: bytes / 8 }, (_, i) => `u${i}=1&`)
      .join("")
      .slice(0, bytes),
    spaces: `q=${"+".repeat(bytes)}x`,
    "long tokens": `q=${"a".repeat(bytes)}`,
    repeats: `q=${"a%2C".repeat(bytes / 4)}`,
  };
  return [...paths, ...own].flatMap((path) =>
    Object.entries(queries).map(([shape, query]) => {
      const headers: Record<string, string> = path.startsWith("/api/")
        ? { authorization: `Bearer ${apiKey}` }
        : path.startsWith("/dashboard")
          ? { cookie }
          : {};
      const input = (text: string): Input => ({ path: `${path}?${text}`, init: { headers } });
      const harmless = input(`q=${encodeURIComponent(harmlessText(bytes * 0.7))}`);
      return { target: `GET ${path}`, shape, hostile: input(query), harmless };
    }),
  );
}
