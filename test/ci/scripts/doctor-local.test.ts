import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import release from "../../../package.json" with { type: "json" };
import { ensureSecrets } from "../../../scripts/lib/installation/secrets.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { freePort } from "../../e2e/support/dev-server.ts";
import { examine, replace, runDoctor, useDoctor } from "../../e2e/support/installation/doctor.ts";
import { folder } from "../../e2e/support/installation/setup.ts";

useDoctor();

let database = "";
beforeEach(async () => {
  const databases = join(folder, "v3/d1/miniflare-D1DatabaseObject");
  await mkdir(databases, { recursive: true });
  database = join(databases, "catalogue.sqlite");
});

/** Runs the doctor on the folder, without a service. */
async function examineFolder() {
  const { isWell, report } = await examine(["--local", "--port", "8787", "--persist-to", folder]);
  expect(report).toContain("? service: Not checked: nothing answers at http://localhost:8787");
  expect(report).toContain("\n    npm run dev -- --port 8787");
  return { isWell, report };
}

describe("what `npm run dev` has stored", () => {
  it("is in order", async () => {
    new DatabaseSync(database).close();
    const { isWell, report } = await examineFolder();
    expect(report).not.toMatch(/^. data:/m);
    expect(isWell).toBe(true);
  });

  it("is of another version", async () => {
    using other = new DatabaseSync(database);
    other.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)");
    other.exec("INSERT INTO d1_migrations (name) VALUES ('0000_other.sql')");
    const { isWell, report } = await examineFolder();
    expect(report).toContain(`✗ data: The data in ${folder} was written by another version of the service`);
    expect(report).toContain(`\n    npm run dev -- --persist-to ${folder} --reset\n`);
    expect(isWell).toBe(false);
  });

  it("is damaged, with which the command fails", async () => {
    await writeFile(database, "x".repeat(8192));
    const port = String(await freePort());
    const { code, output } = await runDoctor(["--local", "--port", port, "--persist-to", folder]);
    expect(output).toContain(`✗ data: The database in ${folder} is damaged: file is not a database.`);
    expect(output).toContain(`? service: Not checked: nothing answers at http://localhost:${port}`);
    expect(code).toBe(1);
  });

  it("isn't there yet", async () => {
    await rm(join(folder, "v3"), { recursive: true });
    const { isWell, report } = await examineFolder();
    expect(report).toContain(
      `? data: There is none yet in ${folder}.\n    npm run dev -- --persist-to ${folder}\n`,
    );
    expect(isWell).toBe(true);
  });
});

/** Runs the doctor beside a service that answers so, by method and path. */
async function examineService(answers: Readonly<Record<string, () => Response>>) {
  new DatabaseSync(database).close();
  await ensureSecrets(join(root, ".dev.vars"));
  await writeFile(join(folder, ".dev.key"), `sk_live_${"k".repeat(32)}`);
  replace({
    fetch: async (input, { method = "GET" } = {}) => {
      const call = `${method} ${new URL(String(input)).pathname}`;
      return answers[call]?.() ?? Response.json({ version: release.version });
    },
  });
  return (await examine(["--local", "--persist-to", folder])).report;
}

const readiness = (...findings: object[]) => ({
  "GET /api/v1/operator/readiness": () =>
    Response.json({ ready: false, version: release.version, findings }, { status: 503 }),
});
const broken = () => new Response("broken", { status: 500 });

it("a service whose database lacks migrations has to be restarted, not deployed", async () => {
  const schema = { name: "schema", status: "failed", what: "Migrations that aren't applied: 9999_note." };
  const report = await examineService({
    ...readiness(
      { ...schema, mend: "npm run deploy" },
      { name: "bindings", status: "failed", what: "Lacks.", mend: "git pull && npm ci && npm run deploy" },
      { name: "ledger", status: "failed", what: "An error.", mend: "npx wrangler tail" },
    ),
    "POST /api/v1/qr": broken,
  });
  const restart = "Restart npm run dev with the same options: Ctrl-C, then npm run dev";
  expect(report).toContain(`✗ schema: ${schema.what}\n    ${restart}\n`);
  expect(report).toContain(`\n    git pull && npm ci, and restart npm run dev\n`);
  expect(report).not.toMatch(/npm run (deploy|setup)|wrangler tail/);
});

it.each([
  ["after a scan that fails", "http://localhost:8787/check", "got status 200 instead of a redirect"],
  ["that leads elsewhere", "https://elsewhere.example/check", "isn't at http://localhost:8787"],
])("a check's code %s that can't be deleted is named", async (_, scanUrl, problem) => {
  const report = await examineService({
    ...readiness(),
    "POST /api/v1/qr": () => Response.json({ id: "the-codes-id", scanUrl }),
    "DELETE /api/v1/qr/the-codes-id": broken,
  });
  expect(report).toContain(problem);
  expect(report).toContain(
    `The check's code couldn't be deleted: ${scanUrl} (id the-codes-id).\n    See what npm run dev prints\n`,
  );
});

it("an option that the doctor doesn't know ends it with its usage", async () => {
  const { code, output } = await runDoctor(["--what"]);
  expect(output).toMatch(/^Unknown option '--what'\n\nUsage: npm run doctor/);
  expect(code).toBe(1);
});
