import type { Service } from "./service.ts";

/** A minimal browser that keeps cookies and doesn't follow redirects by itself. */
export class Browser {
  readonly service: Service;
  readonly cookies = new Map<string, string>();
  /** The `set-cookie` headers of the last response. */
  setCookies: string[] = [];

  constructor(service: Service) {
    this.service = service;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  open(path: string): Promise<Response> {
    return this.send("GET", path);
  }

  /** Submits a form of the service. */
  submit(path: string, fields: Record<string, string>): Promise<Response> {
    return this.send(
      "POST",
      path,
      { origin: this.service.deps.settings.appOrigin },
      new URLSearchParams(fields),
    );
  }

  /** Submits a form of the service that has files. An array of bytes is a file. */
  upload(path: string, fields: Record<string, string | Uint8Array<ArrayBuffer>>): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === "string") form.set(name, value);
      else form.set(name, new File([value], "file"));
    }
    return this.send("POST", path, { origin: this.service.deps.settings.appOrigin }, form);
  }

  async send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: URLSearchParams | FormData,
  ): Promise<Response> {
    const { cookie } = this;
    const answer = await this.service.fetch(path, {
      method,
      headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    this.setCookies = answer.headers.getSetCookie();
    for (const line of this.setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Opens a path that must redirect. @returns the target */
  async follow(path: string): Promise<string> {
    const answer = await this.open(path);
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return location;
  }
}

/** Returns the path and query of a URL. */
export const pathOf = (url: URL): string => url.pathname + url.search;
