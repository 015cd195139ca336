import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type {
  BackupKey,
  LedgerCopyRequest,
  LedgerRestoreRequest,
  StoredRows,
} from "../../src/protocol/backup.ts";
import type { LaterRecords } from "../../src/protocol/workspace-ledger.ts";
import { Failure } from "../lib/failure.ts";

/** The means to reach an installation's backup endpoints. */
export interface Reach {
  readonly appOrigin: string;
  readonly backupSecret: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** How long to wait before a request is repeated, milliseconds; 0 in tests. */
  readonly patience: number;
}

const Installation = z.object({
  format: z.number(),
  version: z.string(),
  scanOrigin: z.string(),
  appOrigin: z.string(),
  secrets: z.record(z.string(), z.string()),
  tables: z.array(z.string()),
  hasFiles: z.boolean(),
  unfinishedJobs: z.number(),
  restored: z.object({ id: z.string(), isComplete: z.boolean() }).nullable(),
});
export type Installation = z.infer<typeof Installation>;

const Listed = z.object({
  files: z.array(z.object({ key: z.string(), size: z.number(), etag: z.string() })),
  cursor: z.string().nullable(),
});
export type ListedFile = z.infer<typeof Listed>["files"][number];

const Begun = z.object({
  kind: z.literal("begun"),
  tables: z.array(z.string()),
  mark: z.string(),
  erased: z.boolean(),
});
const Restored = z.object({ answer: z.enum(["ready", "restored"]) });

/** How often a request is repeated that the service couldn't answer, and how long one may take, milliseconds. */
const repetitions = 8;
const requestMilliseconds = 120_000;

/** The copy of a ledger was given up, because no step came for ten minutes. */
export class GivenUp extends Error {}

/** An installation, by the endpoints for backups. */
export class Door {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Sends a request until the service answers it. @throws Failure for an answer that isn't a success */
  async send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { appOrigin, backupSecret, fetch, signal, patience } = this.#reach;
    const url = `${appOrigin}/operator/backup${path}`;
    for (let made = 0; ; made += 1) {
      const response = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${backupSecret}`, ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMilliseconds)]),
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        return error instanceof Error ? error : new Error(String(error));
      });
      const failed = response instanceof Error;
      if (!failed && response.ok) return response;
      const what = failed
        ? response.message
        : `answered ${response.status}: ${(await response.text()).slice(0, 500)}`;
      if (!failed && response.status === 409 && path.endsWith("/copy")) throw new GivenUp(what);
      if (!failed && response.status < 500 && response.status !== 429) {
        throw new Failure(`${method} ${url} ${what}`);
      }
      if (made === repetitions) {
        throw new Failure(`${method} ${url} ${what}. Nothing is lost. Run the same command again.`);
      }
      await delay(patience * 2 ** Math.min(made, 5), undefined, { signal });
    }
  }

  async #json<Body>(shape: z.ZodType<Body>, method: string, path: string, body?: object): Promise<Body> {
    const response = await this.send(method, path, body && JSON.stringify(body));
    return shape.parse(await response.json());
  }

  describe(): Promise<Installation> {
    return this.#json(Installation, "GET", "");
  }

  async begin(id: string): Promise<void> {
    await this.send("POST", "/begin", JSON.stringify({ id }));
  }

  /** Has the installation refuse changes, or accept them again. */
  async setMoving(isMoving: boolean): Promise<void> {
    await this.send(isMoving ? "PUT" : "DELETE", "/moving");
  }

  async recordLater(workspaceId: string, later: LaterRecords): Promise<void> {
    await this.send("POST", `/ledgers/${workspaceId}/later`, JSON.stringify(later));
  }

  async finishRestoring(id: string): Promise<void> {
    await this.send("POST", "/restore/finish", JSON.stringify({ id }));
  }

  async end(id: string): Promise<void> {
    await this.send("POST", "/end", JSON.stringify({ id }));
  }

  /** Reads a page of the catalogue, as it is stored. */
  async catalogue(table: string, after: BackupKey | null): Promise<string> {
    const query = after === null ? "" : `?${new URLSearchParams({ after: JSON.stringify(after) })}`;
    return (await this.send("GET", `/catalogue/${table}${query}`)).text();
  }

  /** @param holds whether the ledger's deliveries wait from then on */
  beginLedger(workspaceId: string, id: string, holds: boolean): Promise<z.infer<typeof Begun>> {
    return this.#json(Begun, "POST", `/ledgers/${workspaceId}/copy`, { step: "begin", id, holds });
  }

  /** Does a step of copying a ledger. @returns it as it is stored @throws GivenUp */
  async ledger(workspaceId: string, step: LedgerCopyRequest): Promise<string> {
    return (await this.send("POST", `/ledgers/${workspaceId}/copy`, JSON.stringify(step))).text();
  }

  async endLedger(workspaceId: string, id: string): Promise<void> {
    await this.send("POST", `/ledgers/${workspaceId}/copy`, JSON.stringify({ step: "end", id }));
  }

  async beginRestoring(id: string): Promise<void> {
    await this.send("POST", "/restore", JSON.stringify({ id }));
  }

  async endRestoring(id: string): Promise<void> {
    await this.send("POST", "/restore/end", JSON.stringify({ id }));
  }

  async storeCatalogue(rows: StoredRows, isFinal: boolean): Promise<void> {
    await this.send("PUT", `/catalogue/${rows.table}${isFinal ? "?final" : ""}`, JSON.stringify(rows));
  }

  /** Does a step of restoring a ledger. @returns whether this backup is in it already */
  async restoreLedger(workspaceId: string, step: LedgerRestoreRequest): Promise<boolean> {
    const { answer } = await this.#json(Restored, "POST", `/ledgers/${workspaceId}/restore`, step);
    return answer === "restored";
  }

  /** Lists the files whose keys begin with a prefix, in the keys' order. */
  async *files(prefix: string): AsyncGenerator<ListedFile> {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = String(new URLSearchParams({ prefix, ...(cursor === "" ? {} : { cursor }) }));
      const listed: z.infer<typeof Listed> = await this.#json(Listed, "GET", `/files?${query}`);
      yield* listed.files;
      cursor = listed.cursor;
    }
  }

  file(key: string): Promise<Response> {
    return this.send("GET", `/file?${new URLSearchParams({ key })}`);
  }

  async storeFile(key: string, bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<void> {
    await this.send("PUT", `/file?${new URLSearchParams({ key })}`, bytes, { "x-content-type": contentType });
  }
}
