import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Scope } from "../../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { CreatedWebhook } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { freePort } from "../../e2e/support/dev-server.ts";
import { page } from "../../e2e/support/documents/documents.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import { InstalledClient } from "../support/client-package.ts";

const run = promisify(execFile);

/** Languages of the examples, with what runs them. Without Python on this machine, its examples aren't run. */
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const runtimes = { mts: process.execPath, ...(hasPython ? { py: "python3" } : {}) };

/** The examples, by the name in their first line. */
const examples = new Map(
  page("connect").codeBlocks.flatMap(({ text }) => {
    const name = /^(?:\/\/|#) (\w+\.(?:mts|py))\n/.exec(text)?.[1];
    return name === undefined ? [] : [[name, text] as const];
  }),
);

describe("the examples of docs/connect.md", () => {
  let installed: InstalledClient;
  let workspace: OwnWorkspace;
  let env: Record<string, string>;

  beforeAll(async () => {
    [installed, workspace] = await Promise.all([InstalledClient.create(), OwnWorkspace.create("connect")]);
    const all = { name: "Connect", type: "secret", scopes: Scope.options };
    const { key } = await readStrictly(workspace.callDeveloper("POST", "/keys", all), 201, NewApiKey);
    env = { QR_URL: workspace.service.origin, QR_KEY: key };
    for (const [name, text] of examples) installed.write(name, text);
  });
  afterAll(() => installed[Symbol.dispose]());

  const runExample = async (command: string, ...args: string[]): Promise<string> =>
    (await run(command, args, { cwd: installed.folder, env: { ...process.env, ...env } })).stdout;

  it("are all here, and compile strictly", async ({ annotate }) => {
    expect([...examples.keys()].sort()).toEqual(
      ["products", "receiver", "nightly"].flatMap((name) => [`${name}.py`, `${name}.mts`]).sort(),
    );
    const typescript = [...examples.keys()].filter((name) => name.endsWith(".mts"));
    expect(await installed.compile(typescript, "@types/node")).toBe("");
    if (!hasPython) await annotate("Not installed here, so not used: python3.");
  });

  it.each(Object.entries(runtimes))("make a code for each product, once: %s", async (ending, command) => {
    const first = await runExample(command, `products.${ending}`);
    expect(first).toMatch(/^SKU-1 http\S+\nSKU-2 http\S+\n$/);
    expect(await runExample(command, `products.${ending}`)).toBe(first);
  });

  it.each(Object.entries(runtimes))("receive events, once: %s", async (ending, command) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const input = { url, events: ["qr.created", "qr.scanned"] };
    const webhook = await readStrictly(
      workspace.callDeveloper("POST", "/webhooks", input),
      201,
      CreatedWebhook,
    );
    const receiver = spawn(command, [`receiver.${ending}`], {
      cwd: installed.folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, PORT: String(port), SIGNING_SECRET: webhook.secret },
    });
    try {
      const lines = linesOf(receiver);
      expect(await lines.next()).toMatchObject({ value: "ready" });
      const sku = `${ending}-1`;
      const code = { qrType: "url", externalId: sku, data: { type: "url", url: "shop.example" } };
      const created = await workspace.service.send("POST", "/qr", code);
      expect(await lines.next()).toMatchObject({ value: `qr.created ${sku}` });
      const { scanUrl, hash } = (await created.json()) as { scanUrl: string; hash: string };
      await workspace.service.scan(scanUrl);
      expect(await lines.next()).toMatchObject({ value: expect.stringContaining(`qr.scanned ${hash} `) });
      const forged = { method: "POST", body: "{}", headers: { "x-service-signature": "t=1,v1=00" } };
      expect((await fetch(url, forged)).status).toBe(400);
    } finally {
      receiver.kill();
      await once(receiver, "close");
      await workspace.callDeveloper("DELETE", `/webhooks/${webhook.id}`);
    }
  });

  it.each(Object.entries(runtimes))(
    "export the scans of a day, and all codes: %s",
    async (ending, command) => {
      const code = { qrType: "url", data: { type: "url", url: "shop.example" } };
      const created = await workspace.service.send("POST", "/qr", code);
      const { id, scanUrl } = (await created.json()) as { id: string; scanUrl: string };
      await workspace.service.scan(scanUrl);
      await expect
        .poll(async () => await (await workspace.service.send("GET", `/qr/${id}/scans`)).text())
        .toContain('"total":1');
      const read = (file: string) => readFileSync(join(installed.folder, file), "utf8");
      const today = new Date().toISOString().slice(0, 10);
      await runExample(command, `nightly.${ending}`, today);
      expect(read(`scans-${today}.ndjson`)).toContain(`"qrId":"${id}"`);
      expect(read("codes.ndjson")).toContain(id);
      // Yesterday, when nothing was scanned.
      await runExample(command, `nightly.${ending}`);
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      expect(read(`scans-${yesterday}.ndjson`)).toBe("");
      for (const file of ["codes", `scans-${today}`, `scans-${yesterday}`]) {
        rmSync(join(installed.folder, `${file}.ndjson`));
      }
    },
  );
});

/** The lines that a program prints. */
function linesOf({ stdout }: ChildProcess): AsyncIterableIterator<string> {
  if (stdout === null) throw new Error("without a pipe");
  return createInterface({ input: stdout })[Symbol.asyncIterator]();
}
