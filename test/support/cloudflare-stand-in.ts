import { DnsZone } from "./cloudflare/dns-zone.ts";
import { CloudflareHostnames, type HostnameStatus, refusal } from "./cloudflare/hostnames.ts";

/** An answer in place of the next one; a function never answers until the request is aborted. */
export type Failure = Response | "network error" | "no answer";

const resolver = "https://cloudflare-dns.com/dns-query";
const api = "https://api.cloudflare.com/client/v4/zones/";

/** The addresses of the host to which customers point their own, as Cloudflare answers them for a proxied one. */
const targetAddresses = ["104.16.100.1", "104.16.101.1", "2606:4700::6810:6401"];

/**
 * Stands in for Cloudflare's resolver and for its API of custom hostnames, by their documents: a DNS zone that tests
 * change, hostnames whose states advance from read to read, and failures on demand. `log` has a readable line for each
 * request.
 */
export class CloudflareStandIn {
  readonly zoneId = "023e105f4ecef8ad9ca31a8372d0c353";
  readonly token = "a-token-for-the-zone-of-customers";
  readonly target = "hosts.qr-service.net";
  readonly log: string[] = [];
  readonly dns = new DnsZone();
  readonly hostnames: CloudflareHostnames;
  readonly #failures: { of: "DNS" | "API"; failure: Failure }[] = [];

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.hostnames = new CloudflareHostnames(this.dns, this.target, now);
    this.dns.set("A", this.target, ...targetAddresses.filter((address) => !address.includes(":")));
    this.dns.set("AAAA", this.target, ...targetAddresses.filter((address) => address.includes(":")));
  }

  /** The settings of an installation that uses this zone. */
  get settings() {
    const { zoneId, token, target } = this;
    return { customHostnames: { zoneId, token, target, max: 100 }, dnsResolver: resolver };
  }

  /** Writes a line of its own into the log. */
  note(line: string): void {
    this.log.push(`— ${line}`);
  }

  /** Answers the next requests to the resolver or the API with these failures, one each. */
  failNext(of: "DNS" | "API", ...failures: Failure[]): void {
    this.#failures.push(...failures.map((failure) => ({ of, failure })));
  }

  /** Returns the requests to Cloudflare's API since a line of the log. */
  requests(from = 0): string[] {
    return this.log.slice(from).filter((line) => line.startsWith("API"));
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url } = request;
    if (!url.startsWith(resolver) && !url.startsWith(api)) throw new Error(`unexpected request to ${url}`);
    const of = url.startsWith(resolver) ? "DNS" : "API";
    const at = this.#failures.findIndex((planned) => planned.of === of);
    const [planned] = at === -1 ? [] : this.#failures.splice(at, 1);
    const response =
      planned === undefined ? await this.#answer(request, of) : await fail(planned.failure, request.signal);
    this.log.push(await lineOf(of, request, response));
    return response;
  };

  async #answer(request: Request, of: "DNS" | "API"): Promise<Response> {
    if (of === "DNS") return this.dns.answer(request);
    if (request.headers.get("authorization") !== `Bearer ${this.token}`) {
      return refusal(403, 10_000, "Authentication error");
    }
    const [zoneId, kind, id] = new URL(request.url).pathname.split("/").slice(4);
    if (zoneId !== this.zoneId || kind !== "custom_hostnames") {
      return refusal(404, 7003, "Could not route to the zone, perhaps your object identifier is invalid?");
    }
    return this.hostnames.answer(request.clone(), id);
  }
}

/** Answers in place of the stand-in. */
async function fail(failure: Failure, signal: AbortSignal): Promise<Response> {
  if (failure instanceof Response) return failure;
  if (failure === "network error") throw new TypeError("the network is down");
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  return promise;
}

/** Describes a request and its answer in one line. */
async function lineOf(of: "DNS" | "API", request: Request, response: Response): Promise<string> {
  const url = new URL(request.url);
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => ({}));
  if (of === "DNS") {
    const { Answer: answer = [] } = body as { Answer?: { data: string }[] };
    const found = answer.map(({ data }) => data).join(", ");
    const { name, type } = Object.fromEntries(url.searchParams);
    return `DNS ${type} ${name}: ${response.status === 200 ? found || "none" : response.status}`;
  }
  const { result, errors = [] } = body as {
    result?: HostnameStatus | HostnameStatus[] | null;
    errors?: { code: number }[];
  };
  const sent = request.method === "POST" ? ((await request.json()) as { hostname: string }).hostname : "";
  const path = url.pathname.split("/").slice(5).join("/") + url.search;
  const states = [result ?? []]
    .flat()
    .flatMap(({ status, ssl }) => (status === undefined ? [] : `${status}, certificate ${ssl?.status}`));
  const codes = errors.map(({ code }) => `error ${code}`);
  const found = [...codes, ...states].join("; ") || (Array.isArray(result) ? "none" : "done");
  return `API ${[request.method, path, sent].filter(Boolean).join(" ")}: ${response.status} ${found}`;
}
