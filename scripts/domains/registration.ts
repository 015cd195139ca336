import * as z from "zod";
import { Failure } from "../lib/failure.ts";
import { interceptedBy } from "../lib/intercepted.ts";
import { type Reach, request } from "../setup/proof.ts";

/** The service, as its operator calls it. */
export interface OperatedService extends Reach {
  readonly appOrigin: string;
  readonly operatorSecret: string;
}

const Registered = z.object({ status: z.string(), problem: z.string().nullable() });
const Refused = z.object({ error: z.string() });

/** The command to run again after a failure, and what is true until then. */
interface Rest {
  readonly command: string;
  readonly state: string;
}

/**
 * Registers a host that leads to the service as an active domain of a workspace. Safe to repeat.
 * @throws Failure that says what to do
 */
export async function registerDomain(
  service: OperatedService,
  host: string,
  workspaceId: string,
  rest: Rest,
): Promise<void> {
  const { url, response } = await send(service, "PUT", host, rest, { workspaceId });
  if (!response.ok) throw await refusalOf(url, response, rest);
  const registered = Registered.safeParse(await response.json().catch(() => undefined));
  if (registered.success && registered.data.status === "active") return;
  const { status = "an unknown status", problem = null } = registered.data ?? {};
  throw new Failure(`${host} is registered, but it is ${status}${problem === null ? "" : `: ${problem}`}.
${rest.state} Continue: ${rest.command}`);
}

/**
 * Takes a domain from its workspace.
 * @returns whether there was one
 * @throws Failure that says what to do
 */
export async function unregisterDomain(service: OperatedService, host: string, rest: Rest): Promise<boolean> {
  const { url, response } = await send(service, "DELETE", host, rest);
  if (!response.ok && response.status !== 404) throw await refusalOf(url, response, rest);
  await response.body?.cancel();
  return response.ok;
}

/** Calls the operator's endpoint of a domain. */
async function send(
  service: OperatedService,
  method: string,
  host: string,
  { command, state }: Rest,
  body?: object,
): Promise<{ url: string; response: Response }> {
  const url = `${service.appOrigin}/api/v1/operator/domains/${host}`;
  const headers = {
    authorization: `Bearer ${service.operatorSecret}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await request(service, url, init).catch((error: unknown) => {
    service.signal.throwIfAborted();
    throw new Failure(`${url} can't be reached: ${error instanceof Error ? error.message : String(error)}.
${state} Continue: ${command}`);
  });
  const intercepted = interceptedBy(response);
  if (intercepted === undefined) return { url, response };
  throw new Failure(`${url} can't be reached: ${intercepted}; see docs/operating/zone.md.
${state} Continue: ${command}`);
}

async function refusalOf(url: string, response: Response, { command, state }: Rest): Promise<Failure> {
  const { data } = Refused.safeParse(await response.json().catch(() => undefined));
  const said = `${url} answered ${response.status}${data === undefined ? "" : `: ${data.error}`}`;
  return new Failure(`${said}\n${state} ${adviceFor(response.status, data?.error ?? "")}: ${command}`);
}

/** Says what to do before the same command. */
function adviceFor(status: number, error: string): string {
  if (status === 401) return "Set OPERATOR_SECRET to the service's, then";
  // An endpoint that isn't found belongs to a newer version.
  if (status === 404 && error.startsWith("Endpoint")) {
    return "The deployed version doesn't know domains yet. Update it with npm run deploy, then";
  }
  if (status === 404)
    return "GET /api/v1/operator/workspaces lists the workspaces. With the right id, continue";
  if (status === 409)
    return "To move it from another workspace, remove it first with npm run domains -- remove, then";
  return "Continue";
}
