import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../e2e/support/dev-server.ts";
import { examine, runDoctor, useDoctor } from "../../e2e/support/installation/doctor.ts";
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

it("an option that the doctor doesn't know ends it with its usage", async () => {
  const { code, output } = await runDoctor(["--what"]);
  expect(output).toMatch(/^Unknown option '--what'\n\nUsage: npm run doctor/);
  expect(code).toBe(1);
});
