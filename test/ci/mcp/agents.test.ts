import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../../scripts/lib/wrangler.ts";
import { Scope } from "../../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { page } from "../../e2e/support/documents/documents.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";

const run = promisify(execFile);

const document = page("agents");

let workspace: OwnWorkspace;
let key: string;
let folder: string;

beforeAll(async () => {
  workspace = await OwnWorkspace.create("agents");
  const input = { name: "Agent", type: "secret", scopes: Scope.options };
  ({ key } = await readStrictly(workspace.callDeveloper("POST", "/keys", input), 201, NewApiKey));
  folder = mkdtempSync(join(tmpdir(), "qr-agents-"));
  await run("npm", ["init", "-y"], { cwd: folder });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("the session of docs/agents.md prints what is shown", async () => {
  const [program, shown] = ["ts", "text"].map(
    (language) => document.codeBlocks.find((block) => block.language === language)?.text ?? "",
  );
  writeFileSync(join(folder, "agent.mts"), program ?? "");
  const env = { ...process.env, QR_URL: workspace.service.origin, QR_KEY: key };
  const { stdout } = await run(process.execPath, ["agent.mts"], { cwd: folder, env });
  expect(stdout.trim()).toBe(shown?.trim());
});

it("its table has every tool", async () => {
  const agent = new Client({ name: "Reader", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", workspace.service.origin), {
    requestInit,
  });
  await agent.connect(transport);
  const { tools } = await agent.listTools();
  await agent.close();
  const listed = [...document.text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});
