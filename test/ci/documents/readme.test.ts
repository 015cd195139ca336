import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, runWrangler } from "../../../scripts/lib/wrangler.ts";
import { plans } from "../../../src/contract/plans.ts";
import { DevServer } from "../../e2e/support/dev-server.ts";
import {
  type Document,
  documents,
  missingLines,
  page,
  readme,
  type Step,
} from "../../e2e/support/documents/documents.ts";

const run = promisify(execFile);

/** Runs a script as one that is pasted whole. Any command that fails ends it. @returns what it printed */
async function bash(script: string, cwd: string): Promise<string> {
  const { stdout } = await run("bash", ["-e", "-c", script], { cwd, timeout: 90_000 });
  return stdout;
}

/** Commands that deploying needs an account for. They are run before the rest, on a local database. */
const isRemote = ({ script }: Step) => script.includes(" --remote ");

/** The README's block that defines what the commands of other documents use. */
const setup = readme.steps.filter(({ script }) => script.includes("api() {"));

const sessions = documents
  .map((document) => ({ document, path: document.path, steps: document.steps.filter((s) => !isRemote(s)) }))
  .filter(({ steps }) => steps.length > 0)
  .map((session) => ({
    ...session,
    steps: session.document === readme ? session.steps : [...setup, ...session.steps],
  }));

describe("the commands of the documents", () => {
  let data = "";
  let server: DevServer;
  let firstKey = "";
  /** The output of each document's commands. */
  const outputs = new Map<string, string[]>();

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "qr-documents-"));
    const local = ["--local", "--persist-to", data];
    // Before the service runs: two processes would have to share a database file.
    await runWrangler(["d1", "migrations", "apply", "DB", ...local], AbortSignal.timeout(250_000));
    const [creation, ...others] = page("operating/install").steps.filter(isRemote);
    expect(others).toEqual([]);
    const script =
      creation?.script.replace(/-c \S+ --remote/, local.map((word) => `'${word}'`).join(" ")) ?? "";
    firstKey = (await bash(script, root)).trimEnd().split("\n").at(-1) ?? "";
    server = await DevServer.start(["--persist-to", data]);
    // The folder has this service's `.dev.key`, as the project's folder has that of `npm run dev`.
    await copyFile(join(root, ".dev.vars"), join(data, ".dev.vars"));
  });
  afterAll(async () => {
    await server?.interrupt();
    await rm(data, { recursive: true });
  });

  it.each(sessions)("of $path print what it shows", async ({ path, steps }) => {
    const here = (text: string) =>
      text
        .replaceAll("http://localhost:8787", server.origin)
        .replaceAll("http://localhost:8788", server.issuer);
    const mark = "--- end of block ---";
    const script = steps.map((step) => `${here(step.script)}\nprintf '%s\\n' '${mark}'\n`).join("");
    const printed = (await bash(script, data)).split(`${mark}\n`).slice(0, -1);
    for (const [index, { shown }] of steps.entries()) {
      const output = printed[index] ?? "";
      expect({ output, missing: missingLines(here(shown), output) }).toEqual({ output, missing: [] });
    }
    outputs.set(path, printed);
  });

  /** All that a document's commands printed. */
  const printedBy = ({ path }: Document) => (outputs.get(path) ?? []).join("");
  const totalsIn = (text: string) =>
    [...text.matchAll(/"stats":\{"total":(\d+)/g)].map(([, total]) => Number(total));

  // The results that it must have come to, whatever the documents show.
  it("redirect, redirect elsewhere after a change, and count both scans", () => {
    const all = printedBy(readme);
    expect([...all.matchAll(/^location: (.*)\r$/gim)].map(([, to]) => to)).toEqual([
      "https://example.com/lunch",
      "https://example.com/dinner",
    ]);
    expect(all.match(/^HTTP\/1\.1 \d{3}\b/gm)).toEqual(["HTTP/1.1 302", "HTTP/1.1 302"]);
    expect(totalsIn(all)).toEqual([2]);
  });

  it("pause, resume and delete a code, and create once under an Idempotency-Key", () => {
    const api = page("api");
    const all = printedBy(api);
    // Paused and resumed, then deleted and restored.
    expect(all.match(/^\d{3}$/gm)).toEqual(["404", "302", "404", "302"]);
    expect(totalsIn(all)).toEqual([2]);
    const { steps } = sessions.find(({ path }) => path === api.path) ?? { steps: [] };
    const once = steps.findIndex((step) => step.script.includes("Idempotency-Key"));
    expect(outputs.get(api.path)?.[once]).toMatch(/^([0-9a-f-]{36})\n\1\n$/);
  });

  it("make a first workspace and a key that works", async () => {
    expect(firstKey).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    const headers = { authorization: `Bearer ${firstKey}`, "content-type": "application/json" };
    const body = JSON.stringify({ qrType: "url", data: { type: "url", url: "example.com" } });
    const url = `${server.origin}/api/v1/qr`;
    const created = await fetch(url, { method: "POST", headers, body });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const scans = await fetch(`${url}/${id}/scans`, { headers });
    expect(scans.status).toBe(200);
    expect(scans.headers.get("x-ratelimit-limit")).toBe(String(plans.business.requestsPerMinute));
  });
});
