import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { QrCodes } from "../index.ts";
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
  return { url, key };
}

async function readStored(): Promise<Settings | undefined> {
  const file = settingsFile();
  try {
    const settings = JSON.parse(await readFile(file, "utf8")) as Settings;
    // Copied or written by other means, it may be open to others. That of another owner stays so.
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {});
    return settings;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UsageError(`${file} can't be read. Use \`qr login\` to write it again.`);
  }
}

/** Stores settings so that nobody else can read them. */
export async function storeSettings(settings: Settings): Promise<void> {
  const file = settingsFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${randomUUID()}`;
  await writeFile(next, `${JSON.stringify(settings, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  await rename(next, file);
}

/** Removes what `storeSettings` stored. @returns whether there was something */
export async function forgetSettings(): Promise<boolean> {
  try {
    await rm(settingsFile());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns a client. @throws UsageError for what can't be an address or a key, and for an address to which the key would be
 * sent in plain text
 */
export function connected({ url, key }: Settings): QrCodes {
  if (URL.canParse(url)) {
    const { protocol, hostname } = new URL(url);
    if (protocol === "http:" && !loopback.test(hostname)) {
      throw new UsageError(`${url} would send the key in plain text. Use an address with https://.`);
    }
  }
  try {
    return new QrCodes({ baseUrl: url, key });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
