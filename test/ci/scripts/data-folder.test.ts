import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  lockDataFolder,
  onNewMigrations,
  requireKnownData,
  requireRoom,
} from "../../../scripts/lib/data-folder.ts";
import { Failure } from "../../../scripts/lib/failure.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { freePort, runDev } from "../../e2e/support/dev-server.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "qr-data-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const migrations = readdirSync(join(root, "migrations"))
  .filter((file) => file.endsWith(".sql"))
  .sort();

/** The data of a checkout from before the first release. */
const older = readFileSync(
  new URL("../../e2e/support/installation/data-before-1.0.0.sql", import.meta.url),
  "utf8",
);

/** Local data as wrangler leaves it. @param change further statements, as of another version of the service */
function writeData(applied: readonly string[], change = ""): void {
  const databases = join(folder, "v3/d1/miniflare-D1DatabaseObject");
  mkdirSync(databases, { recursive: true });
  using database = new DatabaseSync(join(databases, "catalogue.sqlite"));
  // Nothing has to survive a power failure.
  database.exec(
    "PRAGMA synchronous = OFF; CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)",
  );
  for (const name of applied) {
    if (migrations.includes(name)) database.exec(readFileSync(join(root, "migrations", name), "utf8"));
    database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
  }
  database.exec(change);
}

it("a folder on a full disk is refused with what is free", () => {
  requireRoom(folder);
  expect(() => requireRoom(folder, Number.MAX_SAFE_INTEGER)).toThrow(
    /^The disk of \S+ is full: [\d.]+ MB are free, [\d.]+ MB are needed\. Make room, or choose another folder: --persist-to DIR$/,
  );
});

it("migrations that are added while a service runs are reported, each once", async () => {
  writeFileSync(join(folder, "0000_first.sql"), "");
  const told: (readonly string[])[] = [];
  using _watch = onNewMigrations(folder, (names) => told.push(names));
  writeFileSync(join(folder, "0001_note.sql"), "");
  await expect.poll(() => told).toEqual([["0001_note.sql"]]);
  writeFileSync(join(folder, "0002_tags.sql"), "");
  await expect.poll(() => told.flat()).toEqual(["0001_note.sql", "0002_tags.sql"]);
});

describe("local data", () => {
  it.each<[string, string[], string?]>([
    ["with a migration that this version lacks", [...migrations, "9999_future.sql"]],
    ["with migrations that have other names", ["0000_other.sql"]],
    ["with other migrations of the same names", migrations, "DROP TABLE folders"],
  ])("%s is refused, which says what to do", (_, applied, change) => {
    writeData(applied, change);
    expect(() => requireKnownData(folder, join(root, "migrations"))).toThrow(
      new Failure(
        `The data in ${folder} was written by another version of the service, which this one can't bring up to date. ` +
          "Start over with --reset, which deletes it, or keep it and use another folder: --persist-to DIR",
      ),
    );
  });

  it("from before 1.0.0 is refused at the start, and stays as it was", async () => {
    const databases = join(folder, "v3/d1/miniflare-D1DatabaseObject");
    mkdirSync(databases, { recursive: true });
    const file = join(databases, "catalogue.sqlite");
    new DatabaseSync(file).exec(older);
    const before = readFileSync(file);
    const ports = ["--port", await freePort(), "--oidc-port", await freePort()].map(String);
    const { code, output } = await runDev(["--persist-to", folder, ...ports]);
    expect([code, output]).toEqual([1, expect.stringContaining("Start over with --reset, which deletes it")]);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(join(folder, "v3"))).toEqual(["d1"]);
  });

  it("below a file can't be written, which is said", () => {
    const persistTo = join(folder, "file", "data");
    writeFileSync(join(folder, "file"), "");
    expect(() => lockDataFolder(persistTo)).toThrow(
      new RegExp(`^Nothing can be written to ${persistTo} \\(.*--persist-to DIR$`),
    );
  });

  // In which Node's recursive mkdir never ends, so that it is tried in another process.
  it("in /proc can't be written, which is said at the start", async () => {
    const ports = ["--port", await freePort(), "--oidc-port", await freePort()].map(String);
    const { code, output } = await runDev(["--persist-to", "/proc/nothing", ...ports]);
    expect(code).toBe(1);
    expect(output).toMatch(/^Nothing can be written to \/proc\/nothing \(.*--persist-to DIR\n$/);
  });

  it.each([0, 1, migrations.length])("with the first %d migrations is brought up to date", (count) => {
    writeData(migrations.slice(0, count));
    expect(() => requireKnownData(folder, join(root, "migrations"))).not.toThrow();
  });

  it("is only read while it is checked, also what a killed service left", () => {
    writeData(migrations);
    const file = join(folder, "v3/d1/miniflare-D1DatabaseObject/catalogue.sqlite");
    // As of a process that was killed: its log still has what it wrote last.
    const database = new DatabaseSync(file);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE more (id)");
    const [kept, log] = [`${file}.kept`, `${file}-wal`];
    copyFileSync(file, kept);
    copyFileSync(log, `${kept}-wal`);
    database.close();
    renameSync(kept, file);
    renameSync(`${kept}-wal`, log);
    const before = [readFileSync(file), readFileSync(log)];
    expect(() => requireKnownData(folder, join(root, "migrations"))).toThrow("another version");
    expect([readFileSync(file), readFileSync(log)]).toEqual(before);
  });
});

it("a process ends with the npm that runs it, also if that is killed", async () => {
  const script = join(folder, "script.ts");
  const signal = JSON.stringify(join(root, "scripts/lib/shutdown-signal.ts"));
  writeFileSync(
    script,
    `import { shutdownSignal } from ${signal};
     const kept = setInterval(() => {}, 1000);
     shutdownSignal().addEventListener("abort", () => { console.log("ended"); clearInterval(kept); });
     console.log("started");`,
  );
  // As npm does, by a shell that waits.
  const npm = spawn(
    process.execPath,
    [
      "-e",
      `require("child_process").spawnSync("sh", ["-c", '"$0" "$1"; :', process.execPath, process.argv[1]], { stdio: "inherit" })`,
      script,
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, npm_lifecycle_event: "dev" } },
  );
  let output = "";
  npm.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (text.includes("started")) npm.kill("SIGKILL");
  });
  await once(npm, "close");
  expect(output).toBe("started\nended\n");
});
