import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../scripts/lib/failure.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { quickWrangler } from "../../e2e/support/installation/quick-wrangler.ts";
import {
  bindingOf,
  cloudflare,
  deploy,
  expectResources,
  failure,
  folder,
  install,
  installed,
  messageOf,
  said,
  useAccount,
} from "../../e2e/support/installation/setup.ts";

useAccount();

/** The tables and migrations of an older checkout, from before the first release. */
const older = readFile(
  new URL("../../e2e/support/installation/data-before-1.0.0.sql", import.meta.url),
  "utf8",
);

describe("npm run deploy", () => {
  it("notes the database's state first, checks what it deployed, and prints the way back", async () => {
    await installed();
    const [service, edge, images] = ["management-service", "edge", "images"].map((name) =>
      cloudflare.versions.get(`qr-code-${name}`),
    );
    const from = cloudflare.requests.length;
    await deploy();
    const requests = cloudflare.requests.slice(from).join("\n");
    expect(requests.indexOf("/time_travel/bookmark")).toBeLessThan(requests.indexOf("PUT /accounts"));
    expect(
      said().replaceAll(/-c \S*\//g, "-c "),
    ).toBe(`  ✓ Noted the present state: bookmark ${cloudflare.bookmark}
  ✓ D1 database qr-catalogue migrated
  ✓ Worker qr-code-images deployed
  ✓ Worker qr-code-management-service deployed
  ✓ Worker qr-code-edge deployed
  ✓ https://app.example.com answers with version ${cloudflare.version}

To go back to the version before:
  npx wrangler rollback ${service} -c service.json --durable-objects-code-update-mode immediate
  npx wrangler rollback ${edge} -c edge.json
  npx wrangler rollback ${images} -c images.json
It works with the migrated database. To take the database back, too, which loses what was changed since:
  npx wrangler d1 time-travel restore DB --bookmark=${cloudflare.bookmark} -c service.json
Then follow docs/operating/runbooks.md, Restore the database.`);
    await expectResources();
  });

  it("prints the way back also if it fails halfway, and can be run again", async () => {
    await installed();
    const version = cloudflare.versions.get("qr-code-management-service");
    const wrangler = quickWrangler(cloudflare, new AbortController().signal);
    const failing = (args: string[]) =>
      args[0] === "deploy" ? Promise.reject(new Failure("wrangler deploy failed")) : wrangler(args);
    const message = await messageOf(deploy({ wrangler: failing }));
    expect(message).toContain("wrangler deploy failed");
    expect(message).toContain(`npx wrangler rollback ${version}`);
    await deploy();
  });

  it("prints the way back if the deployed version isn't well", async () => {
    await installed();
    const message = await messageOf(deploy({ doctor: async () => false }));
    expect(message).toContain("something is wrong: see above.\n\nTo go back");
  });

  it("keeps the names of secrets that were rotated", async () => {
    await installed();
    const script = cloudflare.scripts.get("qr-code-management-service") ?? [];
    const index = script.findIndex(({ name }) => name === "SESSION_SECRET");
    script.splice(index, 1, { type: "secret_text", name: "SESSION_SECRET_202611231205", text: "rotated" });
    await deploy();
    expect(bindingOf("SESSION_SECRET_202611231205")?.text).toBe("rotated");
    expect(bindingOf("SESSION_SECRET")).toBeUndefined();
    await install(["--yes"]);
    expect(bindingOf("SESSION_SECRET_202611231205")?.text).toBe("rotated");
    expect(bindingOf("SESSION_SECRET")).toBeUndefined();
  });

  it("runs the command of the deploy button in Cloudflare's build, which knows no installation", async () => {
    await writeFile(join(folder, "npm"), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
    const run = (env: NodeJS.Dict<string>) =>
      spawnSync(process.execPath, [join(root, "scripts/deploy.ts")], {
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, ...env },
        encoding: "utf8",
      });
    expect(run({ WORKERS_CI: "1" })).toMatchObject({ status: 0, stdout: "npm run deploy:button\n" });
    expect(run({}).stderr).toContain("There is no such installation yet.");
  });
});

describe("data from before 1.0.0", () => {
  const tables = () =>
    [...cloudflare.databases.values()].map(({ sqlite }) =>
      sqlite.prepare("SELECT * FROM sqlite_schema").all(),
    );
  const refusal = `The D1 database qr-catalogue was written by a version before 1.0.0, which can't be brought up to date.
Nothing is changed. Keep it with the checkout that wrote it, and install beside it: npm run setup -- --prefix NAME`;

  it("is refused by npm run deploy, which touches nothing", async () => {
    await installed();
    for (const database of cloudflare.databases.values()) {
      database.sqlite = new DatabaseSync(":memory:");
      database.sqlite.exec(await older);
    }
    const [before, from] = [tables(), cloudflare.writes.length];
    expect(await messageOf(deploy())).toBe(refusal);
    expect(tables()).toEqual(before);
    expect(cloudflare.writes.slice(from).filter((line) => !line.endsWith("/query"))).toEqual([]);
  });

  it("is refused by setup, which touches nothing", async () => {
    const sqlite = new DatabaseSync(":memory:");
    sqlite.exec(await older);
    cloudflare.databases.set("an-older-one", { name: "qr-catalogue", sqlite });
    const [before, inventory] = [tables(), cloudflare.inventory];
    expect(await failure()).toBe(refusal);
    expect([tables(), cloudflare.inventory]).toEqual([before, inventory]);
    await expect(readFile(join(folder, "installations/qr.toml"))).rejects.toThrow("ENOENT");
  });

  it("of a newer version is refused with the way to update the checkout", async () => {
    await installed();
    for (const { sqlite } of cloudflare.databases.values()) {
      sqlite.exec("INSERT INTO d1_migrations (name) VALUES ('9999_future.sql')");
    }
    expect(await messageOf(deploy())).toContain("Update this checkout: git pull && npm ci");
  });
});
