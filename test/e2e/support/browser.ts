/** A browser without scripts: it follows redirects over all sites, keeps their cookies, and sends forms. */
export class Browser {
  /** By host name, as browsers keep them: the port does not tell sites apart. */
  readonly #cookies = new Map<string, Cookie[]>();
  /** Where it is. */
  url = new URL("about:blank");
  /** What it shows. */
  page = "";
  status = 0;

  /** Opens an address and follows it to its end. */
  async open(address: string, init: RequestInit = {}): Promise<void> {
    this.url = new URL(address, this.url.protocol === "about:" ? undefined : this.url);
    for (let step = 0, next: RequestInit = init; step < 15; step += 1, next = {}) {
      const answer = await this.fetch(this.url.href, next);
      const location = answer.headers.get("location");
      if (location === null) {
        this.page = await answer.text();
        this.status = answer.status;
        return;
      }
      this.url = new URL(location, this.url);
    }
    throw new Error(`led around in circles, to ${this.url}`);
  }

  /** Sends the page's only form, hidden fields included, to where it says. */
  async submit(fields: Record<string, string>): Promise<void> {
    const form = /<form method="post"(?: action="([^"]*)")?>/.exec(this.page);
    if (form === null) throw new Error(`no form at ${this.url}:\n${this.page}`);
    const { origin, href } = this.url;
    const hidden = [...this.page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const all = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...fields };
    await this.open(form[1] ?? href, {
      method: "POST",
      body: new URLSearchParams(all),
      headers: { origin },
    });
  }

  /** Sends one request with the cookies of its site, and keeps those that come. Does not follow. */
  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, this.url);
    const jar = this.#cookies.get(url.hostname) ?? [];
    const sent = jar.filter(({ path }) => url.pathname.startsWith(path));
    const headers = new Headers(init.headers);
    headers.set("cookie", sent.map(({ name, value }) => `${name}=${value}`).join("; "));
    const signal = AbortSignal.timeout(20_000);
    const answer = await fetch(url, { ...init, headers, signal, redirect: "manual" });
    const come = answer.headers.getSetCookie().map(readCookie);
    const kept = jar.filter((old) => !come.some(({ name, path }) => name === old.name && path === old.path));
    this.#cookies.set(url.hostname, [...kept, ...come.filter(({ gone }) => !gone)]);
    return answer;
  }
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly gone: boolean;
}

function readCookie(line: string): Cookie {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const attribute = (key: string) => new RegExp(`;\\s*${key}=([^;]*)`, "i").exec(line)?.[1];
  const expires = Date.parse(attribute("expires") ?? "");
  const gone = attribute("max-age") === "0" || expires <= Date.now();
  return { name, value, path: attribute("path") ?? "/", gone };
}
