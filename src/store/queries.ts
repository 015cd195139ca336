/** A question to the catalogue. Several can be asked in one batch. */
export interface Query<Found> {
  readonly statement: D1PreparedStatement;
  /** Returns the answer. @param rows that the statement found */
  read(rows: readonly Record<string, unknown>[]): Found;
}

/** Returns a question whose statement finds rows of this shape. */
export const query = <Row, Found>(
  statement: D1PreparedStatement,
  read: (rows: readonly Row[]) => Found,
): Query<Found> => ({ statement, read: (rows) => read(rows as readonly Row[]) });

/** Answers a question by itself. */
export async function answer<Found>({ statement, read }: Query<Found>): Promise<Found> {
  return read((await statement.all()).results);
}

/** Questions, or null for those that need not be asked, by name. */
type Questions<Answers> = { readonly [Name in keyof Answers]: Query<Answers[Name]> | null };

/** Answers the questions in one batch; none if all are null. @param none the answers of those that are null */
export async function answerAll<Answers extends object>(
  db: D1Database,
  questions: Questions<Answers>,
  none: Answers,
): Promise<Answers> {
  const asked = Object.entries<Query<unknown> | null>(questions).flatMap(([name, query]) =>
    query === null ? [] : [{ name, query }],
  );
  if (asked.length === 0) return none;
  const results = await db.batch<Record<string, unknown>>(asked.map(({ query }) => query.statement));
  const answers = asked.map(({ name, query }, i) => [name, query.read(results[i]?.results ?? [])]);
  return { ...none, ...Object.fromEntries(answers) };
}
