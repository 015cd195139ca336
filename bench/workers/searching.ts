// The service with a catalogue that counts the rows it reads, and answers bare statements.
import service from "../../src/index.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

/** Of the last request. */
const spent = { rows: 0, ms: 0 };

const add = ({ meta }: D1Result): void => {
  spent.rows += meta.rows_read;
  spent.ms += meta.duration;
};

/** Returns the binding with statements whose rows and times are counted. */
function counted(db: D1Database): D1Database {
  const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      const result = await statement.all<Record<string, unknown>>();
      add(result);
      return result;
    };
    const wrapped = new Proxy(statement, {
      get: (_, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(statement.bind(...values));
        if (name === "all") return all;
        if (name === "first")
          return async (column?: string) => {
            const [row] = (await all()).results;
            return row === undefined ? null : column === undefined ? row : row[column];
          };
        const value: unknown = Reflect.get(statement, name);
        return typeof value === "function" ? value.bind(statement) : value;
      },
    });
    real.set(wrapped, statement);
    return wrapped;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch(statements.map((each) => real.get(each) ?? each));
    for (const result of results) add(result);
    return results;
  };
  return new Proxy(db, {
    get: (_, name) => {
      if (name === "prepare") return (sql: string) => wrap(db.prepare(sql));
      if (name === "batch") return batch;
      if (name === "withSession") return () => counted(db);
      const value: unknown = Reflect.get(db, name);
      return typeof value === "function" ? value.bind(db) : value;
    },
  });
}

/** The service makes its dependencies once of its bindings. */
let bindings: Env | undefined;

export default {
  ...service,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/bench/spent") return Response.json(spent);
    if (pathname === "/bench/bare") {
      const { sql, params } = (await request.json()) as { sql: string; params: string[] };
      const { meta } = await env.DB.prepare(sql)
        .bind(...params)
        .all();
      return Response.json({ rows: meta.rows_read, ms: meta.duration });
    }
    Object.assign(spent, { rows: 0, ms: 0 });
    bindings ??= { ...env, DB: counted(env.DB) };
    const response = service.fetch?.(request as never, bindings as never, ctx);
    return response as unknown as Promise<Response>;
  },
};
