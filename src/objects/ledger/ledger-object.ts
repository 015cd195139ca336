import { DurableObject } from "cloudflare:workers";
import type {
  LedgerCopyAnswer,
  LedgerCopyRequest,
  LedgerRestoreAnswer,
  LedgerRestoreRequest,
} from "../../protocol/backup.ts";
import { migrateObject } from "../migrations.ts";
import { ledgerMigrations } from "./migrations/index.ts";
import { LedgerParts } from "./parts.ts";

/** The storage key that marks the ledger of a workspace whose data is erased. */
const erasedKey = "erased";

/** An object with a ledger's tables and parts: what is done with all of it. */
export class LedgerObject extends DurableObject<Env> {
  protected parts: LedgerParts;
  /** Whether the workspace's data is erased. */
  protected isErased: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, ledgerMigrations);
    this.parts = new LedgerParts(ctx, () => this.env.FILES);
    this.isErased = ctx.storage.kv.get<boolean>(erasedKey) === true;
  }

  /** Erases everything, for a workspace that is deleted. What arrives later is dropped. */
  async erase(): Promise<void> {
    const { storage } = this.ctx;
    await storage.deleteAlarm();
    await storage.deleteAll();
    storage.kv.put(erasedKey, true);
    this.isErased = true;
    migrateObject(storage, ledgerMigrations);
    this.parts = new LedgerParts(this.ctx, () => this.env.FILES);
  }

  /** Copies the ledger for a backup, a step at a time. */
  copyStep(request: LedgerCopyRequest, now: number): Promise<LedgerCopyAnswer> {
    const { copy, restore, transactions } = this.parts;
    return transactions.run(now, () => {
      if (request.step === "begin" && request.holds) restore.hold(request.id);
      return copy.step(request, this.isErased, now);
    });
  }

  /** Restores the ledger from a backup, a step at a time. */
  async restoreStep(request: LedgerRestoreRequest, now: number): Promise<LedgerRestoreAnswer> {
    if (this.isErased) return "refused";
    const answer = this.ctx.storage.transactionSync(() => this.parts.restore.step(request));
    if (request.step === "complete" || request.step === "release") {
      // Every part has cached the empty tables.
      this.parts = new LedgerParts(this.ctx, () => this.env.FILES);
      await this.parts.transactions.setAlarm(now);
    }
    return answer;
  }
}
