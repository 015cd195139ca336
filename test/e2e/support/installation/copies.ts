import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Cloudflare } from "./cloudflare.ts";

/** Returns everything that an installation leaves in an account, for `fillAccount`. */
export function contentsOf(account: Cloudflare) {
  const { namespaces, buckets, queues, scripts, domains, subdomains, requests } = account;
  const { codeUpdates, limits, schedules, versions } = account;
  const databases = [...account.databases].map(([id, { name, sqlite }]) => ({
    id,
    name,
    bytes: sqlite.serialize(),
  }));
  const own = { namespaces, buckets, queues, scripts, domains, subdomains, requests };
  return structuredClone({ databases, own: { ...own, codeUpdates, limits, schedules, versions } });
}

/** Gives an account the contents of another one. */
export function fillAccount(account: Cloudflare, { databases, own }: ReturnType<typeof contentsOf>): void {
  Object.assign(account, structuredClone(own));
  for (const { id, name, bytes } of databases) {
    const sqlite = new DatabaseSync(":memory:");
    sqlite.deserialize(bytes);
    account.databases.set(id, { name, sqlite });
  }
}

/** Returns the files below a folder with what they contain and their permissions, for `writeFiles`. */
export const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ name, stats: { mode } }) => ({ name, mode, bytes: readFileSync(join(folder, name)) }));

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReturnType<typeof filesIn>): void {
  for (const { name, mode, bytes } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes, { mode });
  }
}
