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

/** Whether a request is counted now. They come one after the other. */
let isCounting = false;

/** The catalogue, whose rows are counted meanwhile. An isolate builds what uses it once. */
let catalogue: ReturnType<typeof countedCatalogue> | undefined;
function countedCatalogue(env: CountedEnv) {
  const { db, rows } = meterDatabase(env.DB);
  const counted = new Proxy(env.DB, {
    get(real, name) {
      const target = isCounting ? db : real;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { env: { ...env, DB: counted }, rows };
}

export default {
  ...service,
  async fetch(request: Request, given: CountedEnv, ctx: ExecutionContext): Promise<Response> {
    catalogue ??= countedCatalogue(given);
    const { env, rows } = catalogue;
    const ledgerName = request.headers.get(ofLedgerHeader);
    if (ledgerName === null) return service.fetch(request as never, env as never, ctx);
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(ledgerName));
    await ledger.takeRead();
    rows.read = 0;
    isCounting = true;
    const answer = await service.fetch(request as never, env as never, ctx);
    const body = await answer.arrayBuffer();
    isCounting = false;
    const headers = new Headers(answer.headers);
    headers.set(ofCatalogueHeader, String(rows.read));
    headers.set(ofLedgerHeader, String(await ledger.takeRead()));
    return new Response(body, { status: answer.status, headers });
  },
};
