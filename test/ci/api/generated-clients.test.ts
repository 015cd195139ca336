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
  const read = await Promise.all(
    jobs.map(({ data }) => getBulk({ path: { jobId: data.jobId }, throwOnError: true })),
  );
  return read.flatMap(({ data }) => data.items).length;
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
    if (data === undefined) throw new Error("no job");
    const job = await client.GET("/qr/bulk/{jobId}", { params: { path: { jobId: data.jobId } } });
    rows += job.data?.items.length ?? 0;
  }
  return rows;
}
`;

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
  const preload = `--import ${join(import.meta.dirname, "../../e2e/support/documents/compiler-api.ts")}`;
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
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    await Promise.all([
      generate("openapi-ts", "-i", "openapi.json", "-o", "hey-api"),
      generate("openapi-typescript", "openapi.json", "-o", "openapi-typescript.ts"),
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("compile strictly, with what their users write", async () => {
    const { stdout } = await run(bin("tsc"), ["-p", "tsconfig.json"], { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).toBe("");
  });

  it.each(["use-hey-api.ts", "use-openapi-fetch.ts"])("do what they are asked: %s", async (file) => {
    const { use } = (await import(/* @vite-ignore */ join(folder, file))) as Usage;
    const { origin, key } = workspace.service;
    expect(await use(`${origin}/api/v1`, key)).toBe(3);
  });
});
