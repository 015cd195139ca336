// The service, which says in a header of each response how many rows the request read, of the catalogue and of ledgers.
import service from "../../src/index.ts";
import { WorkspaceLedger as Ledger } from "../../src/objects/ledger/workspace-ledger.ts";
import { meterDatabase } from "../../test/support/world/wrapped-database.ts";
import { ofCatalogueHeader, ofLedgerHeader } from "./counted-headers.ts";
import { RowMeter } from "./row-meter.ts";

export { KeyMeter, RouteFeed } from "../../src/index.ts";

export class WorkspaceLedger extends Ledger {
  readonly #meter: RowMeter;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#meter = new RowMeter(ctx.storage);
  }

  /** Returns the rows read since the last call. */
  takeRead(): number {
    return this.#meter.take().read;
  }
}

type CountedEnv = Omit<Env, "LEDGERS"> & { LEDGERS: DurableObjectNamespace<WorkspaceLedger> };

export default {
  ...service,
  async fetch(request: Request, env: CountedEnv, ctx: ExecutionContext): Promise<Response> {
    const ledgerName = request.headers.get(ofLedgerHeader);
    if (ledgerName === null) return service.fetch(request as never, env as never, ctx);
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(ledgerName));
    await ledger.takeRead();
    const { db, rows } = meterDatabase(env.DB);
    const answer = await service.fetch(request as never, { ...env, DB: db } as never, ctx);
    const body = await answer.arrayBuffer();
    const headers = new Headers(answer.headers);
    headers.set(ofCatalogueHeader, String(rows.read));
    headers.set(ofLedgerHeader, String(await ledger.takeRead()));
    return new Response(body, { status: answer.status, headers });
  },
};
