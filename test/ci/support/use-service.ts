import type { Miniflare } from "miniflare";
import { expect } from "vitest";
import { clockHeader, deliveriesPath } from "../../../scripts/company/protocol.ts";
import type { StoredState } from "../../../scripts/lib/stored-state.ts";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { DeliveryList, DeliveryWithAttempts } from "../../../src/contract/resources/webhooks/webhooks.ts";

/**
 * A code as any version answers it: 1.0.0 has no own ids, `query`, domains and aliases, and doesn't say whether a design
 * can be read.
 */
export const anyQr = Qr.partial({
  ...{ externalId: true, query: true, domain: true, aliases: true, readability: true },
  scanOriginOnly: true,
});

/** The user agent of a phone. */
export const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";

/** Questions are rare enough for the requests a minute that a key and a person have. */
const patience = { interval: 500 };

/** A use of one version of the service, of which every later one must know. */
export interface Use {
  readonly name: string;
  readonly qr: Pick<Qr, "id" | "hash">;
  readonly scans: number;
  readonly email: string;
}

/** People and programs of a stored state, on a version of the service. */
export class Visitor {
  readonly #miniflare: Miniflare;
  readonly #state: StoredState;
  readonly #minutes: number;

  /** @param minutes after the state was stored */
  constructor(miniflare: Miniflare, state: StoredState, minutes: number) {
    this.#miniflare = miniflare;
    this.#state = state;
    this.#minutes = minutes;
  }

  async #fetch(method: string, path: string, headers: Record<string, string>, body?: string, later = 0) {
    const { origin, now } = this.#state;
    const response = await this.#miniflare.dispatchFetch(new URL(path, origin), {
      method,
      headers: { origin, ...headers, [clockHeader]: String(now + (this.#minutes + later) * 60_000) },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      location: response.headers.get("location"),
      text: await response.text(),
    };
  }

  /** Sends a request of the workspace's owner, or with its key. */
  api(method: string, path: string, body?: object, apiKey = this.#state.apiKey) {
    const credentials: Record<string, string> = path.startsWith("/developer")
      ? { cookie: this.#state.cookie }
      : { authorization: `Bearer ${apiKey}` };
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.#fetch(
      method,
      `/api/v1${path}`,
      { ...credentials, "content-type": "application/json" },
      json,
    );
  }

  /** Sends a request that must succeed. @returns the JSON of its answer */
  async expect(status: number, method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.api(method, path, body);
    expect({ request: `${method} ${path}`, ...answer }).toMatchObject({ status });
    return answer.text === "" ? undefined : JSON.parse(answer.text);
  }

  /** Opens a page of the dashboard. @returns its status */
  open = async (path: string) => (await this.#fetch("GET", path, { cookie: this.#state.cookie })).status;

  /** Scans a code. @returns where it leads */
  async scan(hash: string): Promise<string | number> {
    const { status, location } = await this.#fetch("GET", `/${hash}`, { "user-agent": phone });
    return location ?? status;
  }

  /** Scans a contact as a program. @returns the lines of its vCard */
  async contact(hash: string): Promise<string[]> {
    return (await this.#fetch("GET", `/${hash}`, { "user-agent": phone })).text.split("\r\n");
  }

  /** Sends the form of the state's hosted page, a minute after it was opened, as a person does. */
  async #submit(email: string): Promise<void> {
    const path = `/pages/${this.pageId}`;
    const { text } = await this.#fetch("GET", path, {});
    const token = /name="_form" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const form = { name: "Rui", email, time: "12:00", _form: token };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status } = await this.#fetch("POST", path, headers, String(new URLSearchParams(form)), 1);
    expect(status).toBe(303);
  }

  get pageId(): string {
    const paths = Object.keys(this.#state.answers);
    return paths.flatMap((path) => /^\/developer\/pages\/([^/]+)$/.exec(path)?.[1] ?? [])[0] ?? "";
  }

  /** Returns the total of a code's scans. */
  async scansOf(id: string): Promise<number> {
    const { stats } = (await this.expect(200, "GET", `/qr/${id}/scans`)) as { stats: { total: number } };
    return stats.total;
  }

  /** Makes the deliveries that are due, and reads the newest. */
  async #deliver() {
    const { webhookId, answers } = this.#state;
    const { id: workspaceId } = answers["/developer/workspace"] as { id: string };
    // The form was sent a minute after everything else.
    const due = JSON.stringify({ workspaceId, webhookId, status: 204 });
    await this.#fetch("POST", deliveriesPath, {}, due, 1);
    return DeliveryList.parse(await this.expect(200, "GET", this.#deliveries)).items;
  }

  get #deliveries(): string {
    return `/developer/webhooks/${this.#state.webhookId}/deliveries`;
  }

  /** Checks that the webhook got each event about a code and a form once. */
  async #expectDelivered({ qr, email }: Pick<Use, "qr" | "email">): Promise<void> {
    const pending = async () => (await this.#deliver()).filter(({ status }) => status === "pending");
    await expect.poll(pending, patience).toEqual([]);
    const events: string[] = [];
    for (const { id, event } of await this.#deliver()) {
      const { payload } = DeliveryWithAttempts.parse(
        await this.expect(200, "GET", `${this.#deliveries}/${id}`),
      );
      const text = JSON.stringify(payload);
      if (text.includes(`"id":"${qr.id}"`) || text.includes(email)) events.push(event);
    }
    expect(events.sort()).toEqual(["page.submitted", "qr.created", "qr.updated"]);
  }

  /** Uses scans, changes, events, forms, jobs, keys, reports and the dashboard, and checks what they answer. */
  async useEverything(name: string): Promise<Use> {
    const url = (path: string) => `https://harbour.example/${name}/${path}`;
    const input = (path: string) => ({
      qrType: "url",
      name: `${name} ${path}`,
      data: { type: "url", url: url(path) },
    });
    const qr = anyQr.parse(await this.expect(201, "POST", "/qr", input("first")));
    expect(await this.scan(qr.hash)).toBe(url("first"));
    await this.expect(200, "PATCH", `/qr/${qr.id}`, { data: { type: "url", url: url("second") } });
    for (let i = 0; i < 2; i += 1) expect(await this.scan(qr.hash)).toBe(url("second"));

    const rows = [1, 2, 3].map((row) => input(`row-${row}`));
    const { jobId } = BulkJob.parse(await this.expect(202, "POST", "/qr/bulk", { items: rows }));
    const job = async () => BulkJob.parse(await this.expect(200, "GET", `/qr/bulk/${jobId}?items=none`));
    await expect.poll(job, patience).toMatchObject({ status: "completed", successCount: 3 });

    const gone = anyQr.parse(await this.expect(201, "POST", "/qr", input("deleted")));
    await this.expect(200, "DELETE", `/qr/${gone.id}`);
    expect(await this.scan(gone.hash)).toBe(404);
    await this.expect(200, "POST", `/qr/${gone.id}/restore`);
    expect(await this.scan(gone.hash)).toBe(url("deleted"));

    const email = `${name}@harbour.example`;
    await this.#submit(email);

    const newKey = { name, type: "secret", scopes: ["qr:read"] };
    const key = NewApiKey.pick({ id: true, key: true }).parse(
      await this.expect(201, "POST", "/developer/keys", newKey),
    );
    expect((await this.api("GET", "/qr", undefined, key.key)).status).toBe(200);
    await this.expect(200, "DELETE", `/developer/keys/${key.id}`);
    expect((await this.api("GET", "/qr", undefined, key.key)).status).toBe(401);

    await expect.poll(() => this.scansOf(qr.id), patience).toBe(3);
    for (const path of [
      `/qr/${qr.id}/analytics`,
      "/analytics",
      "/developer/analytics",
      "/developer/webhooks",
    ]) {
      await this.expect(200, "GET", path);
    }
    await this.expect(200, "PATCH", "/developer/analytics", { timeZone: "Europe/Lisbon" });
    for (const path of ["", "/codes", `/codes/${qr.id}`, "/developer", "/pages", "/settings"]) {
      expect([path, await this.open(`/dashboard${path}`)]).toEqual([path, 200]);
    }
    await this.#expectDelivered({ qr, email });
    return { name, qr, scans: 3, email };
  }

  /** Checks that nothing of an earlier use is lost. */
  async expectUse({ qr, scans, email }: Use): Promise<void> {
    expect(anyQr.parse(await this.expect(200, "GET", `/qr/${qr.id}`)).hash).toBe(qr.hash);
    expect(await this.scansOf(qr.id)).toBe(scans);
    const path = `/developer/pages/${this.pageId}/submissions?q=${encodeURIComponent(email)}`;
    const { items } = (await this.expect(200, "GET", path)) as { items: object[] };
    expect(items.filter((item) => JSON.stringify(item).includes(email))).toHaveLength(1);
    await this.#expectDelivered({ qr, email });
  }
}
