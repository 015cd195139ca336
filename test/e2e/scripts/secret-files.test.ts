import { execFileSync } from "node:child_process";
import {
  chmodSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demoKey } from "../../../scripts/lib/demo.ts";
import { readOrCreateFile, readSecretFile } from "../../../scripts/lib/files.ts";
import { ensureSecrets } from "../../../scripts/lib/installation/secrets.ts";
import { withSecretsFile } from "../../../scripts/lib/installation/stored-secrets.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { operatorFile, writeOperatorSecret } from "../../../scripts/setup/secrets.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secret-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

const operatorSecret = operatorFile("installations", "qr");

/** Writes each file with secrets, by the file's path in the project. */
const writers: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  ".dev.vars": ensureSecrets,
  ".dev.key": (file) => demoKey(file, "sk_live_"),
  ".dev.publishable-key": (file) => demoKey(file, "pk_live_"),
  ".dev.oidc.json": (file) => readOrCreateFile(file, async () => "{}"),
  [operatorSecret]: (file) => writeOperatorSecret(file, "new"),
  [`${operatorSecret}.next`]: (file) => writeOperatorSecret(file, "next"),
};

it.each(Object.entries(writers))(
  "%s can be read by its owner only, also where the file was there before, and leaves no other file",
  async (name, write) => {
    const file = join(folder, name);
    await write(file);
    expect(modeOf(file)).toBe(0o600);
    // Emptied and opened to everyone, as by an editor.
    writeFileSync(file, "");
    chmodSync(file, 0o644);
    await write(file);
    expect(modeOf(file)).toBe(0o600);
    expect(readFileSync(file, "utf8")).not.toBe("");
    // Complete, and open to everyone.
    chmodSync(file, 0o644);
    await write(file);
    expect(modeOf(file)).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toHaveLength(1);
  },
);

it("a kept secret is closed to others when it is read", async () => {
  const file = join(folder, "qr.rotated-secrets");
  writeFileSync(file, "[]");
  chmodSync(file, 0o644);
  expect([await readSecretFile(file), modeOf(file)]).toEqual(["[]", 0o600]);
});

it("one function writes files that only their owner can read", () => {
  const files = globSync("scripts/**/*.ts", { cwd: root });
  expect(files.filter((file) => readFileSync(join(root, file), "utf8").includes("0o600"))).toEqual([
    join("scripts", "lib", "files.ts"),
  ]);
});

it("secrets on their way to wrangler are readable by their owner only", async () => {
  expect(await withSecretsFile({ SESSION_SECRET: "x" }, async (file) => modeOf(file))).toBe(0o600);
});

it("git ignores every file with secrets, and what is left of one whose writing was killed", () => {
  const files = Object.keys(writers).flatMap((name) => [name, `${name}.4f1c`]);
  const ignored = execFileSync("git", ["check-ignore", "--no-index", ...files], {
    cwd: root,
    encoding: "utf8",
  });
  expect(ignored.trim().split("\n")).toEqual(files);
});
