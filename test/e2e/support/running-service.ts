/** A browser's user agent, whose scans count as human. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** A running service and its identity provider. */
export interface ServiceAddress {
  readonly origin: string;
  /** The identity provider's origin. */
  readonly issuer: string;
  /** The URL of the dashboard, as `npm run dev` prints it. */
  readonly dashboard: string;
  /** A workspace's secret key. */
  readonly key: string;
}

/** A client of a running service with a secret key. */
export class RunningService implements ServiceAddress {
  readonly origin: string;
  readonly issuer: string;
  readonly dashboard: string;
  readonly key: string;

  constructor({ origin, issuer, dashboard, key }: ServiceAddress) {
    this.origin = origin;
    this.issuer = issuer;
    this.dashboard = dashboard;
    this.key = key;
  }

  /** The same service with another key. */
  withKey(key: string): RunningService {
    return new RunningService({ ...this, key });
  }

  /** Sends a request with the key to a path under `/api/v1`. */
  send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
  }

  /** Opens a scan URL as a browser does, without following the redirect. */
  scan(url: string): Promise<Response> {
    return fetch(url, {
      redirect: "manual",
      headers: { "user-agent": userAgent },
      signal: AbortSignal.timeout(20_000),
    });
  }
}
