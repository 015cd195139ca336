import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/wrangler.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";

const run = promisify(execFile);

/** A program as the users of each client write it. It must compile strictly, and do what it says. */
interface Usage {
  /** Creates a code, changes it, and runs a job of each kind. @returns how many rows the jobs have */
  use(baseUrl: string, key: string): Promise<number>;
}

const heyApi = `
import { createBulk, createBulkFromCsv, createQr, getBulk, getQrImage, updateQr } from "./hey-api/index.ts";
import { client } from "./hey-api/client.gen.ts";

export async function use(baseUrl: string, key: string): Promise<number> {
  client.setConfig({ baseUrl, auth: () => key });
  const { data: qr, error } = await createQr({
    body: { qrType: "url", data: { type: "url", url: "example.com" }, name: "By a client" },
  });
  if (qr === undefined) throw new Error(error.error);
  await updateQr({ path: { id: qr.id }, body: { status: "paused" }, throwOnError: true });
  // A code as it was answered is a valid body.
  const { data: copy } = await createQr({ body: qr, throwOnError: true });
  if (copy.id === qr.id) throw new Error("no copy");
  const { data: image } = await getQrImage({
    path: { id: qr.id },
    query: { format: "png" },
    parseAs: "blob",
    throwOnError: true,
  });
  if (!(image instanceof Blob) || image.size === 0) throw new Error("no image");
  const jobs = [
    await createBulkFromCsv({
      body: new Blob(["name,url\\nLunch,example.com/1\\nDinner,example.com/2\\n"]),
      throwOnError: true,
    }),
    await createBulk({
      body: { items: [{ qrType: "url", data: { type: "url", url: "example.com/3" } }] },
      throwOnError: true,
    }),
  ];
  let rows = 0;
  for (const { data: job } of jobs) {
    if (!("jobId" in job)) throw new Error("a preview");
    const { data } = await getBulk({ path: { jobId: job.jobId }, throwOnError: true });
    rows += data.items.length;
  }
  return rows;
}
`;

const openApiFetch = `
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.ts";

export async function use(baseUrl: string, key: string): Promise<number> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  const { data: qr, error } = await client.POST("/qr", {
    body: { qrType: "url", data: { type: "url", url: "example.com" }, name: "By a client" },
  });
  if (qr === undefined) throw new Error(error.error);
  await client.PATCH("/qr/{id}", { params: { path: { id: qr.id } }, body: { status: "paused" } });
  const jobs = [
    await client.POST("/qr/bulk/csv", {
      body: "name,url\\nLunch,example.com/1\\nDinner,example.com/2\\n",
      bodySerializer: (body) => body,
      headers: { "content-type": "text/csv" },
    }),
    await client.POST("/qr/bulk", {
      body: { items: [{ qrType: "url", data: { type: "url", url: "example.com/3" } }] },
    }),
  ];
  let rows = 0;
  for (const { data } of jobs) {
    if (data === undefined || !("jobId" in data)) throw new Error("no job");
    const job = await client.GET("/qr/bulk/{jobId}", { params: { path: { jobId: data.jobId } } });
    rows += job.data?.items.length ?? 0;
  }
  return rows;
}
`;

const orval = `
import { createBulk, createBulkFromCsv, createQr, getBulk, updateQr } from "./orval.ts";
import { CreateQrBody, CreateQrResponse } from "./orval-zod.ts";

export async function use(baseUrl: string, key: string): Promise<number> {
  const send = globalThis.fetch;
  const options = { headers: { authorization: \`Bearer \${key}\` } };
  globalThis.fetch = (input, init) => send(new URL(String(input).slice(1), \`\${baseUrl}/\`), init);
  try {
    const body = CreateQrBody.parse({ qrType: "url", data: { type: "url", url: "example.com" } });
    const qr = await createQr(body, options);
    if (qr.status !== 201) throw new Error(qr.data.error);
    const { id } = CreateQrResponse.parse(qr.data);
    const paused = await updateQr(id, { status: "paused" }, options);
    if (paused.status !== 200) throw new Error(paused.data.error);
    const jobs = [
      await createBulkFromCsv(new Blob(["name,url\\nLunch,example.com/1\\nDinner,example.com/2\\n"]), undefined, options),
      await createBulk(
        { items: [{ qrType: "url", data: { type: "url", url: "example.com/3" } }] },
        undefined,
        options,
      ),
    ];
    let rows = 0;
    for (const job of jobs) {
      if (job.status === 200) throw new Error("a preview");
      if (job.status !== 202) throw new Error(job.data.error);
      const read = await getBulk(job.data.jobId, undefined, options);
      if (read.status !== 200) throw new Error(read.data.error);
      rows += read.data.items.length;
    }
    return rows;
  } finally {
    globalThis.fetch = send;
  }
}
`;

const orvalConfig = {
  fetch: { input: "./openapi.json", output: { target: "./orval.ts", client: "fetch" } },
  zod: { input: "./openapi.json", output: { target: "./orval-zod.ts", client: "zod" } },
};

const tsconfig = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
  },
  include: ["."],
};

describe("clients generated from the OpenAPI document", () => {
  const folder = mkdtempSync(join(tmpdir(), "qr-clients-"));
  const bin = (name: string) => join(root, "node_modules/.bin", name);
  const preload = `--import ${join(root, "scripts/lib/compiler-api.ts")}`;
  const generate = (command: string, ...args: string[]) =>
    run(bin(command), args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: preload } });
  let workspace: OwnWorkspace;

  beforeAll(async () => {
    workspace = await OwnWorkspace.create("generated clients");
    const document = await fetch(`${workspace.service.origin}/api/v1/openapi.json`);
    writeFileSync(join(folder, "openapi.json"), await document.text());
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    writeFileSync(join(folder, "use-hey-api.ts"), heyApi);
    writeFileSync(join(folder, "use-openapi-fetch.ts"), openApiFetch);
    writeFileSync(join(folder, "use-orval.ts"), orval);
    writeFileSync(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(orvalConfig)}`);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    await Promise.all([
      generate("openapi-ts", "-i", "openapi.json", "-o", "hey-api"),
      generate("openapi-typescript", "openapi.json", "-o", "openapi-typescript.ts"),
      generate("orval", "--config", "orval.config.mjs"),
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("compile strictly, with what their users write", async () => {
    const { stdout } = await run(bin("tsc"), ["-p", "tsconfig.json"], { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).toBe("");
  });

  it.each(["use-hey-api.ts", "use-openapi-fetch.ts", "use-orval.ts"])(
    "do what they are asked: %s",
    async (file) => {
      const { use } = (await import(/* @vite-ignore */ join(folder, file))) as Usage;
      const { origin, key } = workspace.service;
      expect(await use(`${origin}/api/v1`, key)).toBe(3);
    },
  );
});
