import { randomUUID } from "node:crypto";

interface Code {
  readonly id: string;
  readonly hash: string;
  readonly destination: string;
  scans: number;
}

const respond = (status: number, body: unknown): Response => Response.json(body, { status });

/** The codes of a deployed service, with as little of its API as setup uses. */
export class StandInCodes {
  readonly #codes: Code[] = [];

  /** Codes that were created and not deleted. */
  get all(): readonly Code[] {
    return this.#codes;
  }

  /** Returns where a code leads; undefined if there is none. @param counts whether the scan is counted */
  scan(hash: string, counts: boolean): string | undefined {
    const code = this.#codes.find((each) => each.hash === hash);
    if (code !== undefined && counts) code.scans++;
    return code?.destination;
  }

  /** Answers a request to the API. */
  answer(method: string, path: string, body: string, scanOrigin: string): Response {
    const describe = ({ id, hash }: Code) => ({ id, hash, scanUrl: `${scanOrigin}/${hash}` });
    if (path === "/api/v1/qr" && method === "GET") return respond(200, { items: this.#codes.map(describe) });
    if (path === "/api/v1/qr") {
      const { data } = JSON.parse(body) as { data: { url: string } };
      if (data.url.startsWith(scanOrigin)) return respond(400, { code: "invalid_input" });
      const code = { id: randomUUID(), hash: randomUUID().slice(0, 8), destination: data.url, scans: 0 };
      this.#codes.push(code);
      return respond(201, describe(code));
    }
    const [, id, scans] = /^\/api\/v1\/qr\/([^/]+)(\/scans)?$/.exec(path) ?? [];
    const index = this.#codes.findIndex((code) => code.id === id);
    if (index === -1) return respond(404, {});
    if (scans !== undefined) return respond(200, { stats: { total: this.#codes[index]?.scans } });
    this.#codes.splice(index, 1);
    return respond(200, { success: true });
  }
}
