import { createHash } from "node:crypto";
import * as z from "zod";
import { randomBase62 } from "../../src/lib/crypto/random.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { checkWorkspaceId } from "../../src/protocol/backup.ts";
import type { Api } from "../lib/account/api.ts";
import { Failure } from "../lib/failure.ts";
import { interceptedBy } from "../lib/intercepted.ts";

/** The means to reach a deployed service. */
export interface Reach {
  readonly fetch: typeof fetch;
  /** Waits between two tries. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** A deployed service, as strangers reach it. */
export interface Deployed extends Reach {
  readonly scanOrigin: string;
  readonly appOrigin: string;
  readonly operatorSecret: string;
  /** Called before each retry. */
  readonly say?: (line: string) => void;
}

/** How long a scan may take to be counted. */
const countedMilliseconds = 60_000;

const requestMilliseconds = 20_000;

/** The workspace that checks use. It has the same id in every installation, so that a rerun finds it again. */
export const checkWorkspace = { id: checkWorkspaceId, name: "Installation check" };

/** The user agent of a person's browser, whose scans count as human. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** The service refuses destinations of its own, and this one is reserved for examples. It isn't opened. */
const destination = "https://example.com/installation-check";

const CheckedCode = z.object({ id: z.string(), scanUrl: z.string() });
const Codes = z.object({ items: z.array(CheckedCode) });
const Scans = z.object({ stats: z.object({ total: z.number() }) });
const Health = z.object({ version: z.string() });
const Findings = z.object({ findings: z.array(z.object({ name: z.string(), status: z.string() })) });

/** Sends a request to the service, which isn't followed elsewhere. */
export const request = (deployed: Reach, url: string, init: RequestInit = {}): Promise<Response> =>
  deployed.fetch(url, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.any([deployed.signal, AbortSignal.timeout(requestMilliseconds)]),
  });

/**
 * Waits until every store and queue of the service answers at its own address. A new domain's certificate can take
 * minutes.
 * @throws Failure with the last answer, if it doesn't within the time
 */
export async function waitUntilReady(deployed: Deployed, minutes: number): Promise<void> {
  const url = `${deployed.appOrigin}/api/v1/operator/readiness`;
  const headers = { authorization: `Bearer ${deployed.operatorSecret}` };
  const problem = await problemAfter(minutes, deployed, { url, headers, problemOf: unreadiness });
  if (problem === undefined) return;
  throw new Failure(`${url} doesn't answer as it should: ${problem}.
Everything is deployed. A certificate can take longer; continue later: npm run setup`);
}

/**
 * Waits until the service answers at a host that was attached to it. A new certificate can take minutes.
 * @param command continues later
 * @throws Failure with the last answer, if it doesn't within the time
 */
export async function waitUntilAnswering(
  reach: Reach,
  host: string,
  minutes: number,
  command: string,
): Promise<void> {
  const url = `https://${host}/healthz`;
  const problem = await problemAfter(minutes, reach, { url, headers: {}, problemOf: strangeness });
  if (problem === undefined) return;
  throw new Failure(`${url} doesn't answer as it should: ${problem}.
${host} is attached. A certificate can take longer; continue later: ${command}`);
}

interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Says what is wrong with an answer; undefined if nothing is. */
  readonly problemOf: (response: Response) => Promise<string | undefined>;
}

/** Asks until nothing is wrong with the answer. @returns the last problem, if there still is one after the time */
async function problemAfter(
  minutes: number,
  reach: Reach,
  { url, headers, problemOf }: Question,
): Promise<string | undefined> {
  const deadline = Date.now() + minutes * 60_000;
  for (;;) {
    const problem = await request(reach, url, { headers }).then(
      (response) => {
        const intercepted = interceptedBy(response);
        return intercepted === undefined ? problemOf(response) : `${intercepted}; see docs/operating/zone.md`;
      },
      (error: unknown) => {
        reach.signal.throwIfAborted();
        return error instanceof Error ? describe(error) : String(error);
      },
    );
    if (problem === undefined || Date.now() >= deadline) return problem;
    await reach.pause();
  }
}

/** The cause of a failed fetch says more than its message. */
const describe = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message;

async function unreadiness(response: Response): Promise<string | undefined> {
  if (response.status === 200) return undefined;
  if (response.status === 401) return "it refuses the operator's secret";
  const body = Findings.safeParse(await response.json().catch(() => undefined));
  const failed = (body.data?.findings ?? [])
    .filter(({ status }) => status === "failed")
    .map(({ name }) => name);
  return `status ${response.status}${failed.length === 0 ? "" : `, ${failed.join(", ")} failed`}`;
}

/** Only the service answers /healthz with its version. */
async function strangeness(response: Response): Promise<string | undefined> {
  const health = Health.safeParse(await response.json().catch(() => undefined));
  if (response.status === 200 && health.success) return undefined;
  return `status ${response.status}${response.status === 200 ? ", not from the service" : ""}`;
}

/** The result of a check, for display. */
export interface Proof {
  readonly scanUrl: string;
}

/**
 * Creates a code as a program does, scans it as a phone does, waits until the scan is counted and deletes the code. Its
 * key is temporary.
 */
export async function prove(api: Api, database: string, deployed: Deployed): Promise<Proof> {
  const key = `sk_live_${randomBase62(32)}`;
  const run = (sql: string, params: string[], client = api) =>
    client.post(`${database}/query`, { sql, params });
  await run(
    `INSERT INTO workspaces (id, name, plan, created_at) VALUES (?1, ?2, 'business', unixepoch() * 1000)
     ON CONFLICT DO NOTHING`,
    [checkWorkspace.id, checkWorkspace.name],
  );
  await run(
    `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
     VALUES (?1, ?2, 'Installation check', 'secret', '["qr:read","qr:write","scans:read"]', '[]', ?3, 'sk_live_',
       ?4, unixepoch() * 1000)`,
    [newId(Date.now()), checkWorkspace.id, sha256(key), key.slice(-4)],
  );
  try {
    await deleteCodes(deployed, key);
    return await createScanDelete(deployed, key);
  } finally {
    // Keys that an earlier run left, too. The sweep tells the meters of revoked keys.
    await run(
      `UPDATE api_keys SET revoked_at = unixepoch() * 1000, revocation_pending_at = unixepoch() * 1000
       WHERE workspace_id = ?1 AND revoked_at IS NULL`,
      [checkWorkspace.id],
      api.uninterrupted,
    );
  }
}

type Send = <Body>(shape: z.ZodType<Body>, method: string, path: string, body?: object) => Promise<Body>;

/** Sends requests with a key. */
const withKey =
  (deployed: Deployed, key: string): Send =>
  async (shape, method, path, body) => {
    const url = `${deployed.appOrigin}/api/v1${path}`;
    const init = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        // A repeated creation creates nothing more.
        "idempotency-key": randomBase62(32),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    for (let repetition = 0; ; repetition += 1) {
      const response = await request(deployed, url, init);
      const text = await response.text();
      if (response.ok) return shape.parse(JSON.parse(text));
      if (response.status < 500 || repetition === repetitions) {
        throw new Failure(`${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`);
      }
      deployed.say?.(`  · ${method} ${url} answered ${response.status}, trying again${overCpu(text)}`);
      await deployed.pause();
    }
  };

/** How often a request that fails on the service's side is repeated. */
const repetitions = 3;

/** On Workers Free, the first requests of an isolate exceed the CPU time that it allows. */
const overCpu = (answer: string): string =>
  /\b1102\b/.test(answer) ? ": it exceeded the CPU time of Workers Free" : "";

/** Deletes the codes of a check that was interrupted. */
async function deleteCodes(deployed: Deployed, key: string): Promise<void> {
  const send = withKey(deployed, key);
  for (const { id } of (await send(Codes, "GET", "/qr")).items)
    await send(z.unknown(), "DELETE", `/qr/${id}`);
}

/**
 * Creates a code, scans it, waits until the scan is counted, and deletes the code.
 * @throws Failure, which names a code that is left
 */
export async function createScanDelete(deployed: Deployed, key: string): Promise<Proof> {
  const send = withKey(deployed, key);
  const { id, scanUrl } = await send(CheckedCode, "POST", "/qr", {
    name: checkWorkspace.name,
    qrType: "url",
    data: { type: "url", url: destination },
  });
  let problem: unknown;
  try {
    if (!scanUrl.startsWith(`${deployed.scanOrigin}/`)) {
      const what = `The code's short link is ${scanUrl}, which isn't at ${deployed.scanOrigin}.`;
      throw new Failure(`${what} Run npm run setup again.`);
    }
    await scanUntilCounted(deployed, scanUrl, () => send(Scans, "GET", `/qr/${id}/scans`));
  } catch (error) {
    problem = error;
  }
  // Also when the check was interrupted.
  const uninterrupted = withKey({ ...deployed, signal: new AbortController().signal }, key);
  const kept = await uninterrupted(z.unknown(), "DELETE", `/qr/${id}`).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (problem === undefined && kept === undefined) return { scanUrl };
  if (kept === undefined) throw problem;
  const [what = "", ...advice] = messageOf(problem ?? kept).split("\n");
  const left = `The check's code couldn't be deleted: ${scanUrl} (id ${id}).`;
  throw new Failure([`${what.replace(/\.$/, "")}. ${left}`, ...advice].join("\n"));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws Failure if a scan isn't redirected, or isn't counted in time */
async function scanUntilCounted(
  deployed: Deployed,
  scanUrl: string,
  read: () => Promise<z.output<typeof Scans>>,
): Promise<void> {
  const scan = await request(deployed, scanUrl, { headers: { "user-agent": userAgent } });
  const location = scan.headers.get("location");
  if (scan.status !== 302 || location !== destination) {
    throw new Failure(
      `A scan of ${scanUrl} got status ${scan.status} instead of a redirect to ${destination}.`,
    );
  }
  const deadline = Date.now() + countedMilliseconds;
  while ((await read()).stats.total === 0) {
    if (Date.now() >= deadline) {
      throw new Failure(`A scan of ${scanUrl} isn't counted after ${countedMilliseconds / 1000} s.
See whether the queue's messages arrive: npx wrangler tail`);
    }
    await deployed.pause();
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
