type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/**
 * Runs a call of a binding: immediately, later, or never.
 * @param sql of a D1 statement, or of a batch of questions; undefined for a batch that changes rows
 * @param statement itself
 */
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

/** Returns whether a statement changes nothing but when a logo about to be used was last asked for. */
export const isQuestion = (sql: string): boolean => /^\s*(SELECT|UPDATE logos)\b/i.test(sql);

/** Wraps a D1 binding so that its queries and batches are run by `call`. */
export function wrapDatabase(database: D1Database, call: Caller): D1Database {
  const statements = new WeakMap<D1PreparedStatement, { real: D1PreparedStatement; sql: string }>();
  const wrapStatement = (real: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const calls = wrapBinding(real, (work) => call(work, sql, real));
    const statement = new Proxy(real, {
      get: (_, name) =>
        name === "bind"
          ? (...values: unknown[]) => wrapStatement(real.bind(...values), sql)
          : Reflect.get(calls, name),
    });
    statements.set(statement, { real, sql });
    return statement;
  };
  const wrap = (
    real: D1Database | D1DatabaseSession,
  ): Pick<D1Database, "prepare" | "batch" | "withSession"> => ({
    prepare: (sql) => wrapStatement(real.prepare(sql), sql),
    batch<T>(batch: D1PreparedStatement[]) {
      const known = batch.map((each) => statements.get(each) ?? { real: each, sql: "" });
      const isAsking = known.every(({ sql }) => isQuestion(sql));
      return call(
        () => real.batch<T>(known.map((each) => each.real)),
        isAsking ? known.map(({ sql }) => sql).join(";\n") : undefined,
      );
    },
    withSession: (constraint) =>
      wrap((real as D1Database).withSession(constraint)) as unknown as D1DatabaseSession,
  });
  return wrap(database) as D1Database;
}

/** The part of D1's answer that counts rows. */
type Result = Pick<D1Result, "meta" | "results">;

const isResult = (value: unknown): value is Result =>
  typeof value === "object" && value !== null && "meta" in value && "results" in value;

const changes = /\b(INSERT|UPDATE|DELETE|REPLACE)\b/i;

/** Returns how many codes a statement counted: the sum of its column `codes`, if that is a count. */
function countedIn(sql: string, results: readonly unknown[]): number {
  if (!/\bcount\(\*\)[^;]*\bAS codes\b/.test(sql)) return 0;
  return results.reduce<number>((sum, row) => sum + Number((row as { codes?: unknown }).codes ?? 0), 0);
}

/**
 * Wraps a D1 binding so that it counts the rows that statements read, returned and wrote, and the codes that they counted.
 * Queries that don't report it,
 * by `first` and `raw`, run once more by `all`; changes by them aren't counted.
 */
export function meterDatabase(database: D1Database): { db: D1Database; rows: RowCounts } {
  const rows: RowCounts = { read: 0, returned: 0, written: 0, counted: 0 };
  const count = ({ meta, results }: Result) => {
    rows.read += meta.rows_read;
    rows.written += meta.rows_written;
    rows.returned += results.length;
  };
  const db = wrapDatabase(database, async (work, sql = "", statement) => {
    const answer = await work();
    const results: Result[] = [answer as unknown].flat().filter(isResult);
    if (results.length === 0 && statement !== undefined && !changes.test(sql))
      results.push(await statement.all());
    // Only now, because queries may run at the same time.
    for (const result of results) {
      count(result);
      rows.counted += countedIn(sql, result.results);
    }
    return answer;
  });
  return { db, rows };
}

export interface RowCounts {
  read: number;
  returned: number;
  written: number;
  counted: number;
}
