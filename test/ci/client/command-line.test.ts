import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Domain } from "../../../src/contract/resources/domains.ts";
import { json, ScriptedServer } from "../../e2e/support/client/scripted-server.ts";
import { Document, missingLines } from "../../e2e/support/documents/documents.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import type { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import { type InstalledClient, packageName } from "../support/client-package.ts";
import { CommandLine } from "../support/command-line.ts";

describe("the command line", () => {
  let line: CommandLine;
  let installed: InstalledClient;
  let workspace: OwnWorkspace;
  let own: CommandLine["env"];
  const start = (args: readonly string[], env: Record<string, string> = {}) => line.start(args, env);
  const resultOf = (child: ChildProcess) => line.resultOf(child);
  const qr = (...args: string[]) => line.run(...args);
  const write = (file: string, content: string) => line.write(file, content);
  const read = (file: string) => line.read(file);

  beforeAll(async () => {
    line = await CommandLine.create("command line");
    ({ installed, workspace, env: own } = line);
  });
  afterAll(() => line[Symbol.dispose]());

  it("explains itself on a screen, and each command", async () => {
    const { version } = JSON.parse(read(`node_modules/${packageName}/package.json`)) as { version: string };
    expect(await qr("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const help = await qr("--help");
    // All commands are looked at in test/e2e/client/completion.test.ts.
    const some = ["login", "codes set", "listen", "webhooks create", "completion"];
    const all = await Promise.all(some.map((name) => qr(...name.split(" "), "--help")));
    for (const { code, stdout } of [help, ...all]) {
      const lines = stdout.trimEnd().split("\n");
      expect(code).toBe(0);
      expect(lines.length).toBeLessThan(24);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
    expect(await qr("codes", "--help")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("qr codes get"),
    });
    expect(await qr("codes")).toMatchObject({ code: 2, stdout: expect.stringContaining("qr codes get") });
    const readme = new Document("clients/typescript/README.md");
    for (const [code] of readme.tableRows("Command line", "Exit code")) {
      expect(help.stdout).toMatch(new RegExp(`\\b${code} `));
    }
  });

  it("does what its README shows", async () => {
    const script = new Document("clients/typescript/README.md").codeBlocks
      .filter(({ language }) => language === "bash")
      .map((block) => block.text)
      .join("");
    const bin = join(installed.folder, "node_modules/.bin");
    const child = spawn("bash", ["-e", "-c", script], {
      cwd: installed.folder,
      env: { ...process.env, ...own, PATH: `${bin}:${process.env.PATH}` },
    });
    const { code, stdout, stderr } = await resultOf(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Undo it with: qr undo ") });
    const shown = [
      "NAME … LEADS TO … STATUS … SHORT LINK",
      "Lunch menu … https://example.com/lunch … active … http://…",
      "CODE … FIELD … BEFORE … AFTER",
      "Lunch menu … url … https://example.com/lunch … https://menu.example/lunch",
      "1 to change, 0 unchanged, 0 would fail",
      "Job …: completed, 1 of 1 rows done, 0 failed",
      "leads to … https://food.example/lunch",
      "tags … menu, summer",
    ];
    expect(missingLines(shown.join("\n").replaceAll(" … ", "…"), stdout)).toEqual([]);
    expect(read("labels.pdf")).toMatch(/^%PDF/);
  });

  it("stores what logs in, readable for its owner alone, and never sends a stored key elsewhere", async () => {
    const { code, stdout, stderr } = await qr("login");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Terminal, a key of ") });
    const file = stderr.replace(/^Stored in /, "").trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url: own.QR_URL, key: own.QR_KEY });

    const stored = { QR_URL: "", QR_KEY: "" };
    expect((await resultOf(start(["codes", "list"], stored))).code).toBe(0);
    await using other = await ScriptedServer.start((_, response) => json(response, 200, {}));
    const elsewhere = await resultOf(start(["codes", "list"], { ...stored, QR_URL: other.origin }));
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("No key of ")]);
    expect(other.seen).toEqual([]);

    const nothing = { ...stored, XDG_CONFIG_HOME: join(installed.folder, "nothing") };
    const asked = await resultOf(start(["login"], nothing));
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining("Without a terminal, set QR_URL"),
    ]);
    expect((await resultOf(start(["codes", "list"], nothing))).code).toBe(2);
    const wrong = await resultOf(start(["login"], { QR_KEY: "sk_live_unknown" }));
    expect(wrong.code).toBe(3);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ key: own.QR_KEY });
  });

  it("creates, finds, changes, draws, deletes and undoes a code", async () => {
    const made = await qr(
      "codes",
      "create",
      "example.com/tram",
      "--name",
      "Tram 28",
      "--external-id",
      "T 28",
      "--json",
    );
    const { id, hash, scanUrl } = JSON.parse(made.stdout) as Record<"id" | "hash" | "scanUrl", string>;
    for (const name of [id, hash, scanUrl, "ext:T 28"]) {
      expect((await qr("codes", "get", name)).stdout).toContain("Tram 28");
    }
    const set = await qr("codes", "set", "ext:T 28", "--url", "example.com/bus", "--name", "");
    expect([set.code, set.stdout]).toEqual([0, expect.stringContaining("https://example.com/bus")]);
    const [, entry = ""] = /qr undo (\S+)/.exec(set.stderr) ?? [];
    const undone = await qr("undo", entry);
    expect([undone.code, undone.stdout]).toEqual([0, "Undone: code.updated Tram 28\n"]);
    expect((await qr("codes", "get", id)).stdout).toContain("https://example.com/tram");
    expect((await qr("image", id, "-o", "tram.svg")).code).toBe(0);
    expect(read("tram.svg")).toContain("<svg");
    const deleted = await qr("codes", "delete", hash);
    expect(deleted.stdout).toBe("Deleted Tram 28\n");
    expect((await qr("codes", "get", id)).code).toBe(4);
    const [, deletion = ""] = /qr undo (\S+)/.exec(deleted.stderr) ?? [];
    expect((await qr("undo", deletion)).code).toBe(0);
    expect((await qr("codes", "get", id)).code).toBe(0);
    const vcard = await qr("codes", "create", "--type", "vcard", "--data", '{"firstName":"Ada"}');
    expect([vcard.code, vcard.stdout]).toEqual([0, expect.stringContaining("vcard: ")]);
  });

  it("shows and sets a code's domain and aliases", async () => {
    const host = `terminal-${Date.now()}.localhost`;
    await readStrictly(workspace.callDeveloper("POST", "/domains", { host }), 201, Domain);
    const alias = `${host}/Menu_2019`;
    const made = await qr("codes", "create", "example.com/old", "--domain", host, "--alias", alias);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining(`also at     ${alias}\n`)]);
    expect(made.stdout).toMatch(new RegExp(`short link +http://${host}:\\d+/`));
    const set = await qr("codes", "set", alias, "--domain", "", "--alias", "");
    expect(set.stdout).not.toContain(host);
  });

  it("imports a table, says which rows failed, and undoes the job", async () => {
    write("codes.csv", "name,url,tags\nA,example.com/a,imported\nB,not an address,imported\n");
    const dry = await qr("import", "codes.csv", "--dry-run");
    expect([dry.code, dry.stdout]).toEqual([5, expect.stringMatching(/^1 created, .* 1 would fail\n/)]);
    const done = await qr("import", "codes.csv");
    expect([done.code, done.stdout]).toEqual([5, expect.stringMatching(/^2 {4}line 3: url /m)]);
    const [, jobId = ""] = /qr undo (\S+)/.exec(done.stderr) ?? [];
    const job = await qr("job", jobId, "--json");
    expect([job.code, JSON.parse(job.stdout)]).toMatchObject([
      5,
      { jobId, status: "completed", failureCount: 1 },
    ]);
    expect((await qr("undo", jobId)).code).toBe(0);
    const left = await qr("codes", "list", "--filter", "tag=imported", "--json");
    expect(JSON.parse(left.stdout)).toEqual([]);
  });

  it("changes nothing that wasn't agreed to", async () => {
    await qr("codes", "create", "example.com/agreed", "--tag", "agreed");
    await qr("export", "--filter", "tag=agreed", "-o", "agreed.csv");
    write("agreed.csv", read("agreed.csv").replace("example.com", "other.example"));
    for (const args of [[], ["--dry-run"], ["--json"]]) {
      const { code, stdout } = await qr("relink", "agreed.csv", ...args);
      expect(code).toBe(args.includes("--dry-run") ? 0 : 2);
      if (!args.includes("--json")) expect(stdout).toContain("https://other.example/agreed");
    }
    const listed = await qr("codes", "list", "--filter", "tag=agreed", "--json");
    expect(listed.stdout).toContain("https://example.com/agreed");
  });

  it("has an exit code and one line for each kind of error", async () => {
    const codes = async (...calls: (readonly [args: string, env?: Record<string, string>])[]) =>
      Promise.all(calls.map(async ([args, env]) => (await resultOf(start(args.split(" "), env))).code));
    expect(
      await codes(
        ["codes list"],
        ["codes get no-such-code"],
        ["job no-such-job"],
        ["undo no-such-entry"],
        ["codes list", { QR_KEY: "sk_live_unknown" }],
        ["codes list", { QR_URL: "http://127.0.0.1:9" }],
        ["codes list", { QR_URL: "http://qr.example" }],
        ["codes list --tags menu"],
        ["codes get"],
        ["codes get a b"],
        ["codes"],
        ["nonsense"],
        ["labels --filter tag=menu"],
        ["labels --sheet L7160"],
        ["labels --sheet nonsense --filter tag=menu"],
        ["import no-such-file.csv"],
        ["codes create"],
        ["image x -o menu.gif"],
        ["codes list --filter menu"],
      ),
    ).toEqual([0, 4, 4, 4, 3, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2]);
    const { stderr } = await qr("codes", "create", "not an address");
    expect(stderr).toMatch(/^qr: data\.url .*\(request [\w-]+\)\n$/);
  });

  it("keeps characters that a terminal acts on out of it, and has no colours outside one", async () => {
    const name = "\u001b[31mred\u001b[0m \u202eevil\u0007";
    const code = {
      id: "1",
      name,
      status: "active",
      scanUrl: "http://x/1",
      data: { type: "url", url: "http://x" },
    };
    await using server = await ScriptedServer.start((_, response) =>
      json(response, 200, { items: [code], nextCursor: null }),
    );
    const at = { QR_URL: server.origin };
    const table = await resultOf(start(["codes", "list"], at));
    expect(table.stdout).toContain("\ufffd[31mred\ufffd[0m \ufffdevil\ufffd");
    const asJson = await resultOf(start(["codes", "list", "--json"], at));
    expect(JSON.parse(asJson.stdout)).toEqual([code]);
    const controls = /[^\n\P{Cc}]|\u202e/u;
    expect(table.stdout + asJson.stdout).not.toMatch(controls);
    await using failing = await ScriptedServer.start((_, response) =>
      json(response, 404, { error: name, code: "not_found" }),
    );
    const failed = await resultOf(start(["codes", "list"], { QR_URL: failing.origin }));
    expect(failed.stderr).toContain("red");
    expect(failed.stderr).not.toMatch(controls);
  });

  it("leaves a job running at Ctrl-C, and says how to follow it", async () => {
    const job = { jobId: "job-1", status: "processing", successCount: 1, failureCount: 0, totalItems: 9 };
    await using server = await ScriptedServer.start((_, response) => json(response, 200, job));
    write("one.csv", "url\nexample.com\n");
    for (const args of [
      ["job", "job-1", "--follow"],
      ["import", "one.csv"],
    ]) {
      const before = server.seen.length;
      const child = start(args, { QR_URL: server.origin });
      const result = resultOf(child);
      await expect.poll(() => server.seen.length).toBeGreaterThan(before + 1);
      child.kill("SIGINT");
      expect(await result).toEqual({
        ...{ code: 130, stdout: "" },
        stderr: "processing: 1 of 9 rows\nThe job goes on. Follow it with: qr job job-1 --follow\n",
      });
    }
    expect(server.seen.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  it("ends quietly when its output is read no further", async () => {
    const child = start(["codes", "list", "--json"]);
    child.stdout?.destroy();
    const [code] = await once(child, "close");
    expect([0, 141]).toContain(code);
  });
});
