import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPackage } from "../../../scripts/lib/client-package.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { Scope } from "../../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { ScriptedServer } from "../../e2e/support/client/scripted-server.ts";
import { Document } from "../../e2e/support/documents/documents.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { openBrowser } from "../../e2e/support/shared-browser.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import { bin, InstalledClient, packageName } from "../support/client-package.ts";

const run = promisify(execFile);

/** The most that the library may weigh: bundled, minified and gzipped. */
const mostBytes = 15 * 1024;

const worker = `
import { QrCodes, verifyWebhook } from "${packageName}";

interface Env { readonly QR_URL: string; readonly QR_KEY: string }

export default {
  async fetch(request: Request, { QR_URL, QR_KEY }: Env): Promise<Response> {
    if (request.method === "POST") return Response.json(await verifyWebhook(request, "whsec"));
    const client = new QrCodes({ baseUrl: QR_URL, key: QR_KEY });
    const code = await client.qr.create({ qrType: "url", data: { type: "url", url: "example.com/worker" } });
    const results = await client.bulk.run([{ qrType: "url", data: { type: "url", url: "example.com/bulk" } }]);
    let found = 0;
    for await (const { id } of client.qr.list()) if (id === code.id || id === results[0]?.id) found += 1;
    const image = await client.qr.image(code.id);
    return new Response(image.stream, { headers: { "x-found": String(found), "content-type": image.type } });
  },
};
`;

/** That of the service. */
const [, compatibilityDate = ""] =
  /^compatibility_date = "(.*)"$/m.exec(readFileSync(join(root, "wrangler.toml"), "utf8")) ?? [];

/** Each of these must not compile, by the names of their files. */
const mistakes = {
  "unknown-filter.mts": `await client.qr.list({ tags: "menu" });`,
  "missing-field.mts": `await client.qr.create({ data: { type: "url", url: "example.com" } });`,
  "unknown-field.mts": `await client.qr.update("1", { nmae: "Lunch" });`,
  "data-of-another-type.mts": `
    await client.qr.create({ qrType: "email", data: { type: "url", url: "example.com" } });`,
  "changed-data-of-another-type.mts": `
    await client.qr.upsert("1", { qrType: "email", data: { type: "url", url: "example.com" } });`,
  "field-of-another-type.mts": `
    const code = await client.qr.get("1");
    if (code.qrType === "email") code.data.url;`,
  "row-of-another-type.mts": `
    await client.bulk.run([{ qrType: "email", data: { type: "url", url: "example.com" } }]);`,
  "field-of-another-event.mts": `
    const delivery = await verifyWebhook(new Request("http://localhost"), "");
    if (delivery.event === "qr.scanned") delivery.data.workspaceId;`,
};

describe("the client's package", () => {
  let installed: InstalledClient;
  let workspace: OwnWorkspace;
  let env: { QR_URL: string; QR_KEY: string };

  beforeAll(async () => {
    [installed, workspace] = await Promise.all([
      InstalledClient.create(),
      OwnWorkspace.create("client package"),
    ]);
    const all = { name: "Client", type: "secret", scopes: Scope.options };
    const { key } = await readStrictly(workspace.callDeveloper("POST", "/keys", all), 201, NewApiKey);
    env = { QR_URL: workspace.service.origin, QR_KEY: key };
  });
  afterAll(() => installed[Symbol.dispose]());

  it("is right for those who install it", () => checkPackage(installed.source));

  it("has what it needs, and nothing else", async () => {
    const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: installed.folder });
    expect(stdout.trim().split("\n")).toHaveLength(2);
    const installedFolder = join(installed.folder, "node_modules", packageName);
    const manifest = JSON.parse(readFileSync(join(installedFolder, "package.json"), "utf8")) as object;
    expect(Object.keys(manifest)).not.toContain("dependencies");
    for (const file of ["README.md", "CHANGELOG.md", "LICENSE"]) {
      expect(readFileSync(join(installedFolder, file), "utf8")).not.toBe("");
    }
  });

  it("weighs at most 15 KB, without the command line", async () => {
    installed.write("all.ts", `export * from "${packageName}";`);
    const options = ["--bundle", "--minify", "--format=esm", "--metafile=meta.json", "--outfile=all.js"];
    await run(bin("esbuild"), ["all.ts", ...options], { cwd: installed.folder });
    const { length } = gzipSync(readFileSync(join(installed.folder, "all.js")));
    expect(length).toBeLessThanOrEqual(mostBytes);
    expect(readFileSync(join(installed.folder, "meta.json"), "utf8")).not.toContain("/cli/");
    // The README rounds up.
    const stated = / (\d+) KB gzipped/.exec(readFileSync(join(installed.source, "README.md"), "utf8"))?.[1];
    expect(Math.ceil(length / 1024)).toBe(Number(stated));
  });

  it("finds mistakes as they are written", async () => {
    const head = `import { QrCodes, verifyWebhook } from "${packageName}";
      const client = new QrCodes({ key: "", baseUrl: "" });`;
    for (const [file, code] of Object.entries(mistakes)) installed.write(file, `${head}\n${code}`);
    const files = Object.keys(mistakes);
    const said = await installed.compile(files, "@types/node");
    expect(said.match(/^[\w-]+\.mts(?=\(\d+)/gm)?.toSorted()).toEqual(files.toSorted());
  });

  it("knows a code's data by its type", async () => {
    installed.write(
      "types.mts",
      `import { QrCodes, type QrInput, type QrUpdate } from "${packageName}";
      const client = new QrCodes({ key: "", baseUrl: "" });
      const code = await client.qr.get("1");
      if (code.qrType === "url") console.log(code.data.url);
      if (code.qrType === "email") console.log(code.data.to);
      if (code.data.type === "url") console.log(code.data.url);
      for await (const each of client.qr.list()) if (each.qrType === "url") console.log(each.data.url);
      const copy: QrInput = { ...code, name: "A copy", utm: null };
      const changes: QrUpdate = { data: code.data };
      await client.qr.update("1", { ...changes, name: null });
      await client.qr.upsert("1", { qrType: "url", data: { type: "url", url: "example.com" } });
      await client.qr.create(copy);`,
    );
    expect(await installed.compile(["types.mts"], "@types/node")).toBe("");
  });

  it("has a README whose code runs as pasted, in Node", async () => {
    const readme = new Document("clients/typescript/README.md");
    const blocks = readme.codeBlocks.filter(({ language }) => language === "ts").map(({ text }) => text);
    expect(blocks.length).toBeGreaterThan(7);
    installed.write("readme.mts", blocks.join("\n"));
    installed.write("use-readme.mts", `export { receive } from "./readme.mts";`);
    expect(await installed.compile(["readme.mts"], "@types/node")).toBe("");
    const body = JSON.stringify({
      event: "qr.scanned",
      deliveryId: "1",
      createdAt: "",
      data: { hash: "k3v9x2ab", city: "Porto" },
    });
    const time = Math.floor(Date.now() / 1_000);
    const signature = `t=${time},v1=${createHmac("sha256", "whsec").update(`${time}.${body}`).digest("hex")}`;
    installed.write(
      "use-readme.mts",
      `import { receive } from "./readme.mts";
      const request = (signature: string) => new Request("http://localhost", {
        method: "POST", body: ${JSON.stringify(body)}, headers: { "x-service-signature": signature },
      });
      console.log((await receive(request("${signature}"), "whsec")).status);
      console.log((await receive(request("t=1,v1=00"), "whsec")).status);`,
    );
    const { stdout } = await run(process.execPath, ["use-readme.mts"], {
      cwd: installed.folder,
      env: { ...process.env, ...env },
    });
    expect(stdout).toContain("SKU-1042");
    expect(stdout).toMatch(/^Lunch menu http/m);
    expect(stdout.match(/^furniture-\w+ http/gm)).toHaveLength(3);
    expect(stdout).toMatch(/^1 codes get the tag\ncompleted$/m);
    expect(stdout).toContain("NotFoundError 404 ");
    expect(stdout).toMatch(/^k3v9x2ab Porto\n204\n400$/m);
    expect(readFileSync(join(installed.folder, "menu.svg"), "utf8")).toContain("<svg");
  });

  it("runs in a browser, with a publishable key", async () => {
    installed.write("browser.ts", `export * from "${packageName}";`);
    const { stdout } = await run(bin("esbuild"), ["browser.ts", "--bundle", "--format=esm"], {
      cwd: installed.folder,
    });
    await using site = await ScriptedServer.start(({ url }, response) =>
      url === "/client.js"
        ? response.writeHead(200, { "content-type": "text/javascript" }).end(stdout)
        : response.writeHead(200, { "content-type": "text/html" }).end("<title>A shop</title>"),
    );
    const input = { name: "Shop", type: "publishable", origins: [site.origin] };
    const { key } = await readStrictly(workspace.callDeveloper("POST", "/keys", input), 201, NewApiKey);
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(site.origin);
      const use = `(async () => {
        const { QrCodes } = await import("/client.js");
        const baseUrl = ${JSON.stringify(env.QR_URL)};
        const code = { qrType: "url", data: { type: "url", url: "example.com/browser" } };
        const client = new QrCodes({ baseUrl, key: ${JSON.stringify(key)} });
        const { scanUrl } = await client.qr.create(code);
        const refused = await client.qr.create({ ...code, tags: ["menu"] }).catch((error) => error.name);
        let secret = "taken";
        try { new QrCodes({ baseUrl, key: "sk_live_secret" }); } catch (error) { secret = error.message; }
        return { scanUrl, refused, secret };
      })()`;
      expect(await page.evaluate(use)).toEqual({
        scanUrl: expect.stringContaining(workspace.service.origin),
        refused: "InvalidInputError",
        secret: expect.stringContaining("can be read by its visitors"),
      });
    } finally {
      await browser.close();
    }
  });

  it("runs in workerd", async () => {
    installed.write("worker.ts", worker);
    expect(await installed.compile(["worker.ts"], "@cloudflare/workers-types")).toBe("");
    const { stdout } = await run(bin("esbuild"), ["worker.ts", "--bundle", "--format=esm"], {
      cwd: installed.folder,
    });
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({ modules: true, script: stdout, compatibilityDate, bindings: env }),
    );
    try {
      const response = await miniflare.dispatchFetch("http://localhost/");
      expect([response.status, response.headers.get("x-found")]).toEqual([200, "2"]);
      expect(await response.text()).toContain("<svg");
      const body = JSON.stringify({ deliveryId: "1", createdAt: "", events: [] });
      const time = Math.floor(Date.now() / 1_000);
      const signature = createHmac("sha256", "whsec").update(`${time}.${body}`).digest("hex");
      const verified = await miniflare.dispatchFetch("http://localhost/", {
        ...{ method: "POST", body, headers: { "x-service-signature": `t=${time},v1=${signature}` } },
      });
      expect(await verified.json()).toMatchObject({ event: "batch", events: [] });
    } finally {
      await miniflare.dispose();
    }
  });
});
