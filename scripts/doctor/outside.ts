import * as z from "zod";
import release from "../../package.json" with { type: "json" };
import { interceptedBy } from "../lib/intercepted.ts";
import { type Finding, failed, ok, unknown, warning } from "./findings.ts";
import { type Network, readJson } from "./network.ts";

/** How long an answer of the service may take. */
const requestMilliseconds = 10_000;

/** The longest answer of /healthz that is read. */
const healthBytes = 10_000;

/** How far this machine's clock may be off. */
const clockMilliseconds = 60_000;

/** How long before its end a certificate calls for attention. Cloudflare renews it a month before. */
const certificateDays = 14;

const Health = z.object({ version: z.string() });

export interface Outside extends Network {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The pages and commands that fix an origin. */
interface Fixes {
  /** The domain's DNS records. */
  readonly dns: string;
  /** The domain's certificates. */
  readonly certificates: string;
  /** The domain's security settings. */
  readonly security: string;
  readonly deploy: string;
}

/** Reaches a deployed origin as a stranger does: DNS, certificate, answer. */
export async function checkOrigin(origin: string, fixes: Fixes, outside: Outside): Promise<Finding[]> {
  const { hostname } = new URL(origin);
  const dns = await checkDns(hostname, fixes.dns, outside);
  const skipped = (part: string, by: string) =>
    unknown(`${part} of ${hostname}`, `Not checked, because ${by} failed.`);
  if (dns.status !== "ok") return [dns, skipped("certificate", "DNS"), skipped("answer", "DNS")];
  const certificate = await checkCertificate(hostname, fixes.certificates, outside);
  if (certificate.status === "failed") return [dns, certificate, skipped("answer", "the certificate")];
  return [dns, certificate, ...(await checkHealth(origin, fixes, outside))];
}

async function checkDns(host: string, page: string, { lookUp, signal }: Outside): Promise<Finding> {
  const name = `DNS of ${host}`;
  try {
    return ok(name, `It has ${(await lookUp(host)).length} addresses.`);
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return ["ENOTFOUND", "ENODATA"].includes(code)
      ? failed(name, "It has no address.", page)
      : unknown(name, `Not checked. This machine's DNS doesn't answer (${code || error}).`);
  }
}

async function checkCertificate(host: string, page: string, outside: Outside): Promise<Finding> {
  const name = `certificate of ${host}`;
  try {
    const { validTo, problem } = await outside.readCertificate(host);
    const left = Math.floor((validTo - outside.now()) / 86_400_000);
    const shown = new Date(validTo).toISOString().slice(0, 10);
    if (left < 0) return failed(name, `It ended on ${shown}.`, page);
    if (problem !== undefined) return failed(name, `Browsers don't trust it: ${problem}.`, page);
    const what = `It is valid until ${shown}.`;
    return left < certificateDays
      ? warning(name, `${what} It should be renewed by now.`, page)
      : ok(name, what);
  } catch (error) {
    outside.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return failed(name, `There is no connection by TLS: ${reason}. A new certificate takes minutes.`, page);
  }
}

/** Asks an origin for its version, and compares the clocks. */
export async function checkHealth(
  origin: string,
  { deploy, security }: Pick<Fixes, "deploy" | "security">,
  { fetch, now, signal }: Omit<Outside, keyof Network>,
): Promise<Finding[]> {
  const name = `answer of ${new URL(origin).host}`;
  try {
    const response = await fetch(`${origin}/healthz`, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMilliseconds)]),
    });
    const intercepted = interceptedBy(response);
    if (intercepted !== undefined) {
      await response.body?.cancel();
      return [
        failed(
          name,
          `${intercepted}. Programs and scanners' apps can't pass: docs/operating/zone.md.`,
          security,
        ),
      ];
    }
    const health = Health.safeParse(await readJson(response, healthBytes).catch(() => undefined));
    if (response.status !== 200 || !health.success) {
      const what = `${origin}/healthz answers ${response.status} instead of its version.`;
      return [failed(name, what, deploy)];
    }
    const clock = checkClock(response.headers.get("date"), now());
    const { version } = health.data;
    const answer = compareVersions(name, version, deploy);
    return clock === undefined ? [answer] : [answer, clock];
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error ? cause.message : message;
    return [failed(name, `It doesn't answer: ${reason}.`, deploy)];
  }
}

function compareVersions(name: string, version: string, deploy: string): Finding {
  const order = version.localeCompare(release.version, "en", { numeric: true });
  if (order === 0) return ok(name, `It runs version ${version}, as this checkout.`);
  const what = `It runs version ${version}, and this checkout is ${release.version}.`;
  return warning(name, what, order < 0 ? deploy : "git pull && npm ci");
}

const setClock: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
};

/** @param date the time in an answer, in whole seconds @returns undefined if it has none */
function checkClock(date: string | null, now: number): Finding | undefined {
  if (date === null) return undefined;
  const difference = now - Date.parse(date);
  if (Math.abs(difference) < clockMilliseconds)
    return ok("this machine's clock", "It agrees with the service's.");
  const what = `It is ${Math.round(Math.abs(difference) / 60_000)} min ${difference > 0 ? "ahead of" : "behind"} the service's.`;
  return warning("this machine's clock", what, setClock[process.platform] ?? "sudo timedatectl set-ntp true");
}
