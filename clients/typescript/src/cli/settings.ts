import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "./exit-codes.ts";
import { name } from "./package.ts";

/** The address of a service, and a key of it. */
export interface Settings {
  readonly url: string;
  readonly key: string;
}

/** The file that `login` writes. */
export function settingsFile(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const roaming = process.platform === "win32" ? APPDATA : undefined;
  return join(XDG_CONFIG_HOME || roaming || join(homedir(), ".config"), name, "settings.json");
}

/**
 * Returns the settings: those of the environment win. A stored key is never sent to another address than its own.
 * @throws UsageError if there are none
 */
export async function readSettings(): Promise<Settings> {
  const stored = await readStored();
  const url = process.env.QR_URL || stored?.url;
  const key = process.env.QR_KEY || (url === stored?.url ? stored?.key : undefined);
  if (url === undefined) throw new UsageError("No address. Use `qr login`, or set QR_URL and QR_KEY.");
  if (key === undefined) throw new UsageError(`No key of ${url}. Use \`qr login\`, or set QR_KEY.`);
  requireSecret(url);
  return { url, key };
}

/** @throws UsageError for an address at which others on the way could read the key */
export function requireSecret(url: string): void {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const isLocal = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname ?? "");
  if (protocol !== "http:" || isLocal) return;
  throw new UsageError(`${url} isn't encrypted, so others could read the key. Use https://.`);
}

async function readStored(): Promise<Settings | undefined> {
  try {
    return JSON.parse(await readFile(settingsFile(), "utf8")) as Settings;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UsageError(`${settingsFile()} can't be read. Use \`qr login\` to write it again.`);
  }
}

/** Stores settings so that nobody else can read them. */
export async function storeSettings(settings: Settings): Promise<void> {
  const file = settingsFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A new file: the mode of one that exists would stay.
  const next = `${file}.${randomUUID()}`;
  await writeFile(next, `${JSON.stringify(settings, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  await rename(next, file);
}
