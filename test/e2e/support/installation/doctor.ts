import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { parseDoctorOptions } from "../../../../scripts/doctor/options.ts";
import { doctor, type World } from "../../../../scripts/doctor/run.ts";
import { root } from "../../../../scripts/lib/wrangler.ts";
import { accountId, token } from "./cloudflare.ts";
import { quickWrangler } from "./quick-wrangler.ts";
import { cloudflare, folder, useAccount } from "./setup.ts";

export const day = 86_400_000;

/** Commands and pages that mend something. */
export const mends = {
  deploy: "npm run deploy -- qr",
  setup: "npm run setup -- --prefix qr",
  tokens: "https://dash.cloudflare.com/profile/api-tokens",
  registry: "https://lookup.icann.org/en/lookup?q=example.com",
  dashboard: `https://dash.cloudflare.com/${accountId}`,
};

/** The finding that stands for all that needs an answer of the service. */
export const noService = "? service: Not checked: readiness and a scan";

/** The days that example.com is still registered for; undefined if the registry is silent. */
let registeredDays: number | undefined;
/** The means of the doctor that a fault replaces. */
let replaced: Partial<World>;

/** Gives each test of the file a healthy network and an empty account. */
export function useDoctor(): void {
  useAccount();
  beforeEach(() => {
    registeredDays = 200;
    replaced = {};
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
}

/** Replaces means of the doctor. */
export function replace(changes: Partial<World>): void {
  replaced = changes;
}

/** Sets how long example.com is still registered; undefined for a registry that is silent. */
export function registerFor(days: number | undefined): void {
  registeredDays = days;
}

/** Reaches the registry, and the hosts of the account. */
export const fetchAnything: typeof fetch = async (input, init) => {
  const { host, pathname } = new URL(String(input));
  if (host === "data.iana.org") {
    return Response.json({ services: [[["com", "net"], ["https://rdap.example/com/v1/"]]] });
  }
  if (host !== "rdap.example") return cloudflare.fetch(input, init);
  if (registeredDays === undefined) throw new TypeError("fetch failed");
  expect(pathname).toBe("/com/v1/domain/example.com");
  const eventDate = new Date(Date.now() + (registeredDays + 0.5) * day).toISOString();
  return Response.json({
    events: [
      { eventAction: "registration", eventDate: "2001-01-01T00:00:00Z" },
      { eventAction: "expiration", eventDate },
    ],
  });
};

/** Runs the doctor. @returns whether nothing has failed, its report, and the lines of what isn't in order */
export async function examine(args: string[] = []) {
  const lines: string[] = [];
  const { signal } = new AbortController();
  const isWell = await doctor(parseDoctorOptions(args, {}), {
    env: { CLOUDFLARE_API_BASE_URL: cloudflare.base, CLOUDFLARE_API_TOKEN: token },
    folder: join(folder, "installations"),
    say: (line) => lines.push(line),
    wrangler: quickWrangler(cloudflare, signal),
    fetch: fetchAnything,
    lookUp: async () => ["192.0.2.1", "2001:db8::1"],
    readCertificate: async () => ({ validTo: Date.now() + 60.5 * day, problem: undefined }),
    now: Date.now,
    pause: async () => {},
    signal,
    ...replaced,
  });
  return { isWell, report: lines.join("\n"), wrong: lines.filter((line) => /^[✗!?]/.test(line)) };
}

/** Runs `npm run doctor` itself. @returns its exit code, and what it has printed */
export async function runDoctor(args: string[]): Promise<{ code: unknown; output: string }> {
  const run = spawn(process.execPath, [join(root, "scripts/doctor.ts"), ...args], { cwd: root });
  const [output, errors, [code]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, "exit")]);
  return { code, output: output + errors };
}

/** Lets the account's API answer an error wherever a request fits. */
export function refuse(request: RegExp, status: number, code: number, message: string): void {
  cloudflare.intercept = (line) => (request.test(line) ? { status, code, message } : undefined);
}

/** Returns DNS that answers with a code. */
export const refuseDns = (code: string) => async () => {
  throw Object.assign(new Error(`queryA ${code}`), { code });
};

/** Returns a queue of the account, to change it. */
export const queueNamed = (name: string) => cloudflare.queues.get(name) ?? { id: "" };
