import { CLIENT_INFO_META_KEY, createMcpHandler } from "@modelcontextprotocol/server";
import { limits } from "../contract/limits.ts";
import { bodyBounds } from "../contract/resources/free-form.ts";
import type { Deps } from "../domain/deps.ts";
import { asServiceError, internalError, rateLimited, ServiceError } from "../domain/errors.ts";
import { forwardInTurn } from "../domain/events/forwarding.ts";
import {
  authenticate,
  callerOf,
  countRequest,
  rateLimitHeaders,
  recordKeyUse,
} from "../domain/identity/keys.ts";
import { describeError, log } from "../lib/log.ts";
import type { JsonBounds } from "../lib/text/json-size.ts";
import { readJsonBody } from "../lib/web/json-body.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { noteRequest } from "../lib/web/request-line.ts";
import { serverFor } from "./server.ts";

/** Characters of a client's name, and of a name in a message. */
const maxClientName = 60;
const maxName = 200;

/**
 * Serves agents by the Model Context Protocol: Streamable HTTP without sessions. A secret key is the bearer; cookies are
 * never read, and no web page of another origin can call it.
 */
export function createAgents(deps: Deps) {
  return {
    async fetch(request: Request, _env: Env, ctx: ExecutionContext): Promise<Response> {
      const requestId = crypto.randomUUID();
      const headers = new Headers({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-request-id": requestId,
      });
      noteRequest(request, { requestId });
      try {
        const response = await answer(deps, request, ctx, requestId, headers);
        for (const [name, value] of headers) response.headers.set(name, value);
        return response;
      } catch (error) {
        return refusal(error, requestId, headers);
      }
    },
  };
}

async function answer(
  deps: Deps,
  request: Request,
  ctx: ExecutionContext,
  requestId: string,
  headers: Headers,
): Promise<Response> {
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== deps.settings.appOrigin) {
    throw new ServiceError("forbidden", "Web pages of other origins can't call this address.");
  }
  if (request.method !== "POST") {
    throw new ServiceError(
      "invalid_input",
      "This address is for agents, by the Model Context Protocol. Use POST.",
      { status: 405, headers: { allow: "POST" } },
    );
  }
  const identified = await authenticate(
    deps,
    request.headers.get("authorization") ?? undefined,
    clientAddressOf(request),
  );
  const { key } = identified;
  noteRequest(request, { workspaceId: key.workspaceId });
  const reading = await countRequest(deps, key, identified.allowance);
  for (const [name, value] of Object.entries(rateLimitHeaders(reading))) headers.set(name, value);
  if (reading.outcome === "over") throw rateLimited(reading.resetSeconds);
  const { message, input } = await readMessage(request);
  const client = clientOf(request, message);
  const caller = callerOf(key, reading, { via: "mcp", requestId, client }, clientAddressOf(request));
  if (caller.keyType !== "secret") throw new ServiceError("forbidden", "Agents need a secret key.");
  ctx.waitUntil(recordKeyUse(deps, caller));
  // The list of tools never changes while a client looks at it, so there is nothing to subscribe to.
  const options = { maxSubscriptions: 0, onerror: report };
  const handler = createMcpHandler(() => serverFor({ deps, caller }, input), options);
  // Without the client's signal, and read to its end: a change that has begun ends even if the client disconnects.
  const { method, url } = request;
  const sent = new Headers(request.headers);
  const isStreamTaken = sent.get("accept")?.includes(eventStream) === true;
  // The library demands that clients accept both, but some accept JSON alone.
  sent.set("accept", `application/json, ${eventStream}`);
  const response = await handler.fetch(new Request(url, { method, headers: sent }), { parsedBody: message });
  const body = await response.text();
  if (isCall(message)) ctx.waitUntil(forwardInTurn(deps, caller.workspaceId));
  if (!isStreamTaken && response.headers.get("content-type") === eventStream) return asJson(body, response);
  return new Response(body === "" ? null : body, response);
}

const eventStream = "text/event-stream";

/** Answers with a stream's only message: tools send no notifications. */
function asJson(stream: string, { status, headers }: Response): Response {
  const answered = new Response(/^data: (.*)$/m.exec(stream)?.[1], { status, headers });
  answered.headers.set("content-type", "application/json");
  return answered;
}

const report = (error: Error) => log("info", "agent's request refused", { error: describeError(error) });

/** The bounds of a message. Each of its codes is small, but there may be many. */
const messageBounds: JsonBounds = {
  ...bodyBounds,
  parts: [...bodyBounds.parts, { names: ["codes", "items"], values: limits.proposals.values }],
};

/** A message, and the input of the tool that it calls. */
interface Call {
  readonly message: object;
  readonly input: unknown;
}

/**
 * Reads a message. The input is taken out of it, since the protocol's library would check and copy each of its values.
 * @throws JsonError for a body that is too large; invalid_input for one that isn't one message, since each call is
 * counted as one request
 */
async function readMessage(request: Request): Promise<Call> {
  const { value } = await readJsonBody(request, limits.agentBody, messageBounds);
  if (!isObject(value)) throw new ServiceError("invalid_input", "The body must be one JSON-RPC message.");
  // An answer repeats them.
  for (const name of [value.id, value.method, Object(value.params).name]) {
    if (typeof name !== "string" || name.length <= maxName) continue;
    throw new ServiceError("invalid_input", `id, method and name can have at most ${maxName} characters.`);
  }
  if (value.params === null) return { message: { ...value, params: {} }, input: {} };
  if (!isCall(value) || !isObject(value.params)) return { message: value, input: {} };
  const { arguments: input = {}, ...params } = value.params;
  return { message: { ...value, params }, input };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCall = (message: object): boolean => "method" in message && message.method === "tools/call";

/** Returns the name that a client gives itself: in its message or, by older versions of the protocol, its User-Agent. */
function clientOf(request: Request, message: object): string {
  const { params } = message as { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } };
  const info = Object(Object(params?._meta)[CLIENT_INFO_META_KEY]) as { readonly name?: unknown };
  const [product] = (request.headers.get("user-agent") ?? "").split(/[/ ]/);
  const name = typeof info.name === "string" ? info.name : (product ?? "");
  return (
    name
      .replace(/\p{C}|[\u2028\u2029]/gu, "")
      .slice(0, maxClientName)
      .trim() || "Unknown agent"
  );
}

/** Answers an error of the whole request in the form of JSON-RPC. */
function refusal(error: unknown, requestId: string, headers: Headers): Response {
  const known = asServiceError(error);
  if (known === undefined || known.status === 503) {
    log("error", "agent's request failed", { requestId, error: describeError(error) });
  }
  const { code, status, message, headers: own } = known ?? internalError();
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const body = { jsonrpc: "2.0", id: null, error: { code: -32000, message, data: { code } } };
  return Response.json(body, { status, headers });
}
