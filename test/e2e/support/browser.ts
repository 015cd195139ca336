/** A browser without scripts: it follows redirects across sites, stores cookies and submits forms. */
export class Browser {
  /** By host name: to browsers, ports of a host share cookies. */
  readonly #cookies = new Map<string, Cookie[]>();
  /** The URL of the current page. */
  url = new URL("about:blank");
  /** The HTML of the current page. */
  page = "";
  /** The HTTP status of the current page. */
  status = 0;

  /** Opens an address and follows its redirects. @throws after 15 of them */
  async open(address: string, init: RequestInit = {}): Promise<void> {
    this.url = new URL(address, this.url.protocol === "about:" ? undefined : this.url);
    for (let redirects = 0, next: RequestInit = init; redirects < 15; redirects += 1, next = {}) {
      const response = await this.fetch(this.url.href, next);
      const location = response.headers.get("location");
      if (location === null) {
        this.page = await response.text();
        this.status = response.status;
        return;
      }
      this.url = new URL(location, this.url);
    }
    throw new Error(`too many redirects, the last to ${this.url}`);
  }

  /** Submits the first form of the page that changes something, hidden fields included. @throws if there is none */
  async submit(fields: Record<string, string>): Promise<void> {
    const [form] = /<form\b[^>]* method="post"[^>]*>/.exec(this.page) ?? [];
    if (form === undefined) throw new Error(`no form at ${this.url}:\n${this.page}`);
    const { origin, href } = this.url;
    const hidden = [...this.page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const body = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...fields };
    await this.open(/ action="([^"]*)"/.exec(form)?.[1] ?? href, {
      method: "POST",
      body: new URLSearchParams(body),
      headers: { origin },
    });
  }

  /** The cookies of an address's site, as contexts of Chromium take them. */
  cookiesAt(address: string): { name: string; value: string; domain: string; path: string }[] {
    const { hostname } = new URL(address);
    return (this.#cookies.get(hostname) ?? []).map(({ name, value, path }) => ({
      ...{ name, value, path },
      domain: hostname,
    }));
  }

  /** Sends one request with the cookies of its site, and stores those that it sets. Does not follow redirects. */
  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, this.url);
    const jar = this.#cookies.get(url.hostname) ?? [];
    const sent = jar.filter(({ path }) => url.pathname.startsWith(path));
    const headers = new Headers(init.headers);
    headers.set("cookie", sent.map(({ name, value }) => `${name}=${value}`).join("; "));
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(url, { ...init, headers, signal, redirect: "manual" });
    const received = response.headers.getSetCookie().map(readCookie);
    const remaining = jar.filter(
      (old) => !received.some(({ name, path }) => name === old.name && path === old.path),
    );
    this.#cookies.set(url.hostname, [...remaining, ...received.filter(({ expired }) => !expired)]);
    return response;
  }
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly expired: boolean;
}

function readCookie(line: string): Cookie {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const attribute = (key: string) => new RegExp(`;\\s*${key}=([^;]*)`, "i").exec(line)?.[1];
  const expires = Date.parse(attribute("expires") ?? "");
  const expired = attribute("max-age") === "0" || expires <= Date.now();
  return { name, value, path: attribute("path") ?? "/", expired };
}
