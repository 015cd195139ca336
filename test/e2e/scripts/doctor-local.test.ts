import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../support/dev-server.ts";
import { runDoctor } from "../support/installation/doctor.ts";

let folder = "";
let database = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qr-doctor-"));
  const databases = join(folder, "v3/d1/miniflare-D1DatabaseObject");
  await mkdir(databases, { recursive: true });
  database = join(databases, "catalogue.sqlite");
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the doctor on the folder, without a service. */
async function examine() {
  const port = String(await freePort());
  const { code, output } = await runDoctor(["--local", "--port", port, "--persist-to", folder]);
  expect(output).toContain(`? service: Not checked: nothing answers at http://localhost:${port}`);
  expect(output).toContain(`\n    npm run dev -- --port ${port}\n`);
  return { code, output };
}

describe("what `npm run dev` has stored", () => {
  it("is in order", async () => {
    new DatabaseSync(database).close();
    const { code, output } = await examine();
    expect(output).not.toMatch(/^. data:/m);
    expect(code).toBe(0);
  });

  it("is of another version", async () => {
    using other = new DatabaseSync(database);
    other.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)");
    other.exec("INSERT INTO d1_migrations (name) VALUES ('0000_other.sql')");
    const { code, output } = await examine();
    expect(output).toContain(`✗ data: The data in ${folder} was written by another version of the service`);
    expect(output).toContain(`\n    npm run dev -- --persist-to ${folder} --reset\n`);
    expect(code).toBe(1);
  });

  it("is damaged", async () => {
    await writeFile(database, "x".repeat(8192));
    const { code, output } = await examine();
    expect(output).toContain(`✗ data: The database in ${folder} is damaged: file is not a database.`);
    expect(code).toBe(1);
  });

  it("isn't there yet", async () => {
    await rm(join(folder, "v3"), { recursive: true });
    const { code, output } = await examine();
    expect(output).toContain(
      `? data: There is none yet in ${folder}.\n    npm run dev -- --persist-to ${folder}\n`,
    );
    expect(code).toBe(0);
  });
});

it("an option that it doesn't know ends it with its usage", async () => {
  const { code, output } = await runDoctor(["--what"]);
  expect(output).toMatch(/^Unknown option '--what'\n\nUsage: npm run doctor/);
  expect(code).toBe(1);
});
