type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Runs a call of a binding: immediately, later, or never. @param sql of a D1 statement @param statement itself */
export type Caller = <T>(work: () => Promise<T>, sql?: string, statement?: D1PreparedStatement) => Promise<T>;

/** Wraps a binding so that all its methods are run by `call`. */
export function wrapBinding<T extends object>(target: T, call: Caller): T {
  return new Proxy(target, {
    // A proxy with `then` would be mistaken for a promise.
    get: (_, name) =>
      name === "then" || typeof name === "symbol"
        ? undefined
        : (...args: unknown[]) => call(async () => (target as unknown as Methods)[name]?.(...args)),
  });
}

/** Wraps a D1 binding so that its queries and batches are run by `call`. */
export function wrapDatabase(database: D1Database, call: Caller): D1Database {
  const statements = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrapStatement = (real: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const calls = wrapBinding(real, (work) => call(work, sql, real));
    const statement = new Proxy(real, {
      get: (_, name) =>
        name === "bind"
          ? (...values: unknown[]) => wrapStatement(real.bind(...values), sql)
          : Reflect.get(calls, name),
    });
    statements.set(statement, real);
    return statement;
  };
  const wrap = (
    real: D1Database | D1DatabaseSession,
  ): Pick<D1Database, "prepare" | "batch" | "withSession"> => ({
    prepare: (sql) => wrapStatement(real.prepare(sql), sql),
    batch: <T>(batch: D1PreparedStatement[]) =>
      call(() => real.batch<T>(batch.map((each) => statements.get(each) ?? each))),
    withSession: (constraint) =>
      wrap((real as D1Database).withSession(constraint)) as unknown as D1DatabaseSession,
  });
  return wrap(database) as D1Database;
}

/**
 * Wraps a D1 binding so that it counts the rows read by its queries. Each query runs twice, because only `all` reports
 * its rows.
 */
export function meterDatabase(database: D1Database): { db: D1Database; rows: { read: number } } {
  const rows = { read: 0 };
  const db = wrapDatabase(database, async (work, sql = "", statement) => {
    if (/^\s*(SELECT|WITH)\b/i.test(sql)) {
      const result = await statement?.all();
      // Only now, because queries may run at the same time.
      rows.read += result?.meta.rows_read ?? 0;
    }
    return work();
  });
  return { db, rows };
}
