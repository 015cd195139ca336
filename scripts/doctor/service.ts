import * as z from "zod";
import { Finding as FindingSchema } from "../../src/contract/resources/operations/operations.ts";
import { type Api, ApiError } from "../lib/account/api.ts";
import { Failure } from "../lib/failure.ts";
import { interceptedBy } from "../lib/intercepted.ts";
import { createScanDelete, type Deployed, prove, request } from "../setup/proof.ts";
import { type Finding, failed, ok, unknown } from "./findings.ts";
import { readJson } from "./network.ts";

const Readiness = z.object({
  ready: z.boolean(),
  version: z.string(),
  findings: z.array(FindingSchema),
});

/** The longest answer of readiness that is read. */
const readinessBytes = 1_000_000;

/** The service's own findings, and what it says of itself; undefined if it didn't answer. */
interface Checked {
  readonly findings: readonly Finding[];
  readonly service?: { readonly ready: boolean; readonly version: string };
}

/**
 * Asks the service what it finds.
 * @param setup stores another operator's secret
 */
export async function checkReadiness(deployed: Deployed, setup: string): Promise<Checked> {
  const name = "readiness";
  if (deployed.operatorSecret === "") {
    const what = "Not checked: the operator's secret is neither in OPERATOR_SECRET nor in its file.";
    return { findings: [unknown(name, what, setup)] };
  }
  const url = `${deployed.appOrigin}/api/v1/operator/readiness`;
  const headers = { authorization: `Bearer ${deployed.operatorSecret}` };
  try {
    const response = await request(deployed, url, { headers });
    const intercepted = interceptedBy(response);
    if (intercepted !== undefined) return { findings: [unknown(name, `Not checked: ${intercepted}.`)] };
    if (response.status === 401)
      return { findings: [failed(name, "The service refuses the operator's secret.", setup)] };
    const body = Readiness.safeParse(await readJson(response, readinessBytes).catch(() => undefined));
    if (body.success) return { findings: body.data.findings, service: body.data };
    const what = `${url} answers ${response.status} without findings.`;
    return { findings: [failed(name, what, "npx wrangler tail")] };
  } catch (error) {
    deployed.signal.throwIfAborted();
    return { findings: [unknown(name, `Not checked: ${url} doesn't answer (${messageOf(error)}).`)] };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Creates a code, scans it, waits until it is counted and deletes it.
 * @param tail shows the service's log
 */
export async function checkScan(run: () => Promise<{ scanUrl: string }>, tail: string): Promise<Finding> {
  try {
    const { scanUrl } = await run();
    return ok("scan", `${scanUrl} was created, scanned, counted and deleted.`);
  } catch (error) {
    if (error instanceof Failure || error instanceof ApiError) {
      return failed("scan", error.message.split("\n")[0] ?? "", tail);
    }
    if (error instanceof TypeError || error instanceof z.ZodError) {
      return failed("scan", `The service's answer can't be used: ${messageOf(error).split("\n")[0]}`, tail);
    }
    throw error;
  }
}

/** Checks a deployed service by a temporary key. */
export const scanDeployed = (api: Api, database: string, deployed: Deployed) => () =>
  prove(api, database, deployed);

/** Checks a local service by a key that it has. */
export const scanWithKey = (deployed: Deployed, key: string) => () => createScanDelete(deployed, key);
