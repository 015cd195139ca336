import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { Failure } from "./failure.ts";
import { root } from "./wrangler.ts";

const run = promisify(execFile);

/** Runs git in the project's folder. */
const git = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run("git", args, { cwd: root, env: { ...process.env, ...env } });

/** Where the files of releases are put, a folder for each commit. */
const releasesFolder = join(root, ".wrangler/releases");

/** Returns the commits of the released versions, which the changelog names, since tags don't travel with every copy. */
export function releases(changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8")): Map<string, string> {
  const sections = changelog
    .split(/^## /m)
    .map((section) => [/^\[(\d[^\]]*)\]/.exec(section)?.[1], /`([0-9a-f]{40})`/.exec(section)?.[1]]);
  return new Map(
    sections.flatMap(([version, commit]) =>
      version === undefined || commit === undefined ? [] : [[version, commit]],
    ),
  );
}

/** Returns a released version's commit. @throws Failure with the versions that there are */
export function requireRelease(version: string): string {
  const known = releases();
  const commit = known.get(version);
  if (commit !== undefined) return commit;
  throw new Failure(`There is no release ${version}. Choose one of ${[...known.keys()].join(", ")}`);
}

/** Makes sure that this copy of the repository has a commit. @throws Failure that says what to fetch */
async function requireCommit(version: string, commit: string): Promise<void> {
  const isKnown = () =>
    git(["cat-file", "-e", `${commit}^{commit}`]).then(
      () => true,
      () => false,
    );
  if (await isKnown()) return;
  const remotes = (await git(["remote"]).catch(() => ({ stdout: "" }))).stdout.split("\n");
  for (const remote of remotes.filter((each) => each !== "")) {
    await git(["fetch", "--quiet", "--depth=1", remote, commit]).catch(() => {});
    if (await isKnown()) return;
  }
  throw new Failure(`This copy of the repository doesn't have release ${version}, the commit ${commit}.
Fetch it from where this copy came from, and run the same command again: git fetch URL ${commit}`);
}

/**
 * Puts the files of a release into a folder, with the packages that it needs.
 * @returns the folder
 * @throws Failure that says what to do
 */
export async function checkOutRelease(version: string): Promise<string> {
  const commit = requireRelease(version);
  const folder = join(releasesFolder, commit);
  if (existsSync(folder)) return folder;
  await requireCommit(version, commit);
  const draft = `${folder}.${process.pid}`;
  await mkdir(releasesFolder, { recursive: true });
  try {
    const index = { GIT_INDEX_FILE: `${draft}.index` };
    await git(["read-tree", commit], index);
    await git(["checkout-index", "--all", `--prefix=${draft}/`], index);
    await installPackages(draft);
    // Another process may have been faster.
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    for (const path of [draft, `${draft}.index`]) await rm(path, { recursive: true, force: true });
  }
  return folder;
}

/** Installs a release's packages, unless they are those of this checkout. */
async function installPackages(folder: string): Promise<void> {
  const [own, released] = [root, folder].map((each) => packagesIn(join(each, "package-lock.json")));
  if (own === released) return symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, shell: process.platform === "win32" });
}

/** Returns a lock file's packages, without the project itself, whose version differs. */
function packagesIn(lockFile: string): string {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(lockFile, "utf8")));
  return JSON.stringify({ ...packages, "": undefined });
}
