import { type Client, origin, type SessionClient } from "../service.ts";
import type { MortalIsolate } from "./mortal-isolate.ts";
import type { Resource } from "./scenario-resources.ts";

export type Change =
  | "redirect"
  | "pause"
  | "resume"
  | "remove"
  | "restore"
  | "suspend"
  | "lift"
  | "open"
  | "expire"
  | "unschedule"
  | "setFallback"
  | "removeFallback"
  | "tag"
  | "untag";

/** Times in requests are multiples of this, so that changes may be repeated with equal values. Milliseconds. */
const grid = 10_000;

/** The clients that change resources, besides the operator. */
export interface Owners {
  readonly client: Client;
  readonly session: SessionClient;
}

interface ChangeRequest {
  readonly method: string;
  readonly path: string;
  readonly by: "key" | "session" | "operator";
  readonly body?: object;
}

/**
 * Returns the request of a change; undefined if it doesn't apply to the resource.
 * @param to another destination or title; @param now epoch milliseconds
 */
function requestOf(
  { kind, id }: Resource,
  change: Change,
  to: string,
  now: number,
): ChangeRequest | undefined {
  const places = { code: "qr", page: "pages", workspace: "workspaces" };
  const suspension = { path: `/operator/${places[kind]}/${id}/suspension`, by: "operator" } as const;
  const code = { path: `/qr/${id}`, by: "key" } as const;
  const page = { path: `/developer/pages/${id}`, by: "session" } as const;
  if (change === "suspend") return { ...suspension, method: "PUT", body: { reason: "A test" } };
  if (change === "lift") return { ...suspension, method: "DELETE" };
  if (kind === "page") {
    if (change === "redirect") return { ...page, method: "PATCH", body: { title: to } };
    return change === "remove" ? { ...page, method: "DELETE" } : undefined;
  }
  if (kind === "workspace") return undefined;
  const patch = (body: object): ChangeRequest => ({ ...code, method: "PATCH", body });
  const soon = new Date(Math.ceil((now + 1) / grid) * grid).toISOString();
  switch (change) {
    case "open":
      return patch({ startsAt: soon, expiresAt: null });
    case "expire":
      return patch({ startsAt: null, expiresAt: soon });
    case "unschedule":
      return patch({ startsAt: null, expiresAt: null });
    case "setFallback":
      return patch({ fallbackUrl: to });
    case "removeFallback":
      return patch({ fallbackUrl: null });
    case "tag":
      return patch({ utm: { source: to.split("/").at(-1) } });
    case "untag":
      return patch({ utm: null });
    case "redirect":
      return { ...code, method: "PATCH", body: { data: { type: "url", url: to } } };
    case "pause":
      return { ...code, method: "PATCH", body: { status: "paused" } };
    case "resume":
      return { ...code, method: "PATCH", body: { status: "active" } };
    case "remove":
      return { ...code, method: "DELETE" };
    case "restore":
      return { ...code, path: `${code.path}/restore`, method: "POST" };
  }
}

/**
 * Sends the request of a change, if it applies to the resource.
 * @param to another destination or title
 * @returns whether the response promises that the catalogue's state has been published
 */
export async function sendChange(
  isolate: Pick<MortalIsolate, "fetch">,
  { client, session }: Owners,
  resource: Resource,
  change: Change,
  to: string,
): Promise<boolean> {
  const request = requestOf(resource, change, to, client.service.deps.now());
  if (request === undefined) return false;
  const { method, path, by, body } = request;
  const credentials: Record<string, string> = {
    key: { authorization: `Bearer ${client.key}` },
    session: { cookie: session.cookie, origin },
    operator: { authorization: `Bearer ${client.service.operatorSecret}` },
  }[by];
  const response = await isolate.fetch(`/api/v1${path}`, {
    method,
    headers: { ...credentials, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response === undefined) return false;
  // A repeated deletion is answered 404, which promises that scans get one, too.
  return response.ok || (change === "remove" && response.status === 404);
}
