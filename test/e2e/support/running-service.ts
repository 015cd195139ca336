/** A browser's user agent, for scans that must count as a person's. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** A service that runs, and its identity provider. */
export interface ServiceAddress {
  readonly origin: string;
  /** The identity provider's origin. */
  readonly issuer: string;
  /** Where people sign in, as `npm run dev` prints it. */
  readonly dashboard: string;
  /** A secret key of one workspace. */
  readonly key: string;
}

/** A client of a running service that holds a secret key. */
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

  /** Opens a scan URL as a person does, without following it. */
  scan(url: string): Promise<Response> {
    return fetch(url, {
      redirect: "manual",
      headers: { "user-agent": userAgent },
      signal: AbortSignal.timeout(20_000),
    });
  }
}
