import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { unstable_splitSqlQuery } from "wrangler";
import {
  migratedDatabase,
  migrationNames,
  objectsSql,
  requireKnownSchema,
} from "../../../scripts/lib/schema.ts";
import { root } from "../../../scripts/lib/wrangler.ts";

/**
 * Returns what D1 is known to refuse in a migration as "incomplete input" (workers-sdk issues 4326, 10998, 14991, 15178,
 * 15314), although SQLite and the local D1 accept it.
 */
function remoteProblems(sql: string): string[] {
  const triggers = unstable_splitSqlQuery(sql).filter((statement) => /\bCREATE\s+TRIGGER\b/i.test(statement));
  const problems: string[] = [];
  if (sql.includes("\r")) problems.push("CRLF");
  for (const trigger of triggers) {
    if (!/\sBEGIN\s/.test(trigger)) problems.push("BEGIN of a trigger isn't in capitals");
    if (!/;\s*END;?$/.test(trigger)) problems.push("END of a trigger isn't in capitals");
    if (/\bCASE\b/i.test(trigger)) problems.push("CASE in a trigger");
  }
  return problems;
}

const trigger = (body: string, [begin, end] = ["BEGIN", "END"]) =>
  `CREATE TABLE a (b);\nCREATE TRIGGER c AFTER INSERT ON a ${begin}\n  ${body};\n${end};\n`;

it.each([
  [trigger("DELETE FROM a"), []],
  [trigger("DELETE FROM a").replaceAll("\n", "\r\n"), ["CRLF"]],
  [trigger("DELETE FROM a", ["begin", "END"]), ["BEGIN of a trigger isn't in capitals"]],
  [trigger("DELETE FROM a", ["BEGIN", "end"]), ["END of a trigger isn't in capitals"]],
  [trigger("UPDATE a SET b = CASE WHEN 1 THEN 2 END"), ["CASE in a trigger"]],
  [trigger("UPDATE a SET b = (case b when 1 then 2 end)"), ["CASE in a trigger"]],
])("a trigger that SQLite accepts is judged as D1 does: %j", (sql, problems) => {
  using database = new DatabaseSync(":memory:");
  database.exec(sql);
  expect(remoteProblems(sql)).toEqual(problems);
});

it.each(migrationNames())("D1 has no known reason to refuse %s", (name) => {
  expect(remoteProblems(readFileSync(join(root, "migrations", name), "utf8"))).toEqual([]);
});

describe("a database", () => {
  /** The migrations that were one each before the next release had them as one. */
  const between = ["0015_history.sql", "0016_sessions.sql", "0017_members.sql", "0018_restoring.sql"];
  const later = [
    "0019_keys_by_people.sql",
    "0020_invitations.sql",
    "0021_leaving.sql",
    "0022_workspace-logo.sql",
  ];
  const joined = "0023_bounds.sql";
  const released = migrationNames().slice(0, 15);
  const examine = (applied: readonly string[], count: number) => {
    using database = migratedDatabase(count);
    const rows = database.prepare(objectsSql).all();
    requireKnownSchema({ applied, objects: rows.map(({ type, name }) => `${type} ${name}`) }, "db");
  };

  it("of 1.0.0, and one with every migration since, can be brought up to date", () => {
    expect(() => examine(released, 15)).not.toThrow();
    expect(() => examine([...released, joined], 16)).not.toThrow();
    expect(() => examine([...released, ...between, ...later, joined], 16)).not.toThrow();
  });

  it("with some of the migrations that are one now was written between two releases", () => {
    const sentence = "The D1 database db was written between two releases";
    expect(() => examine([...released, ...between], 15)).toThrow(sentence);
    expect(() => examine([...released, ...between, ...later], 15)).toThrow(sentence);
  });

  it("of a newer version, and one of another service, say so", () => {
    expect(() => examine([...migrationNames(), "0099_later.sql"], migrationNames().length)).toThrow(
      "by a newer version",
    );
    expect(() => examine(["0000_other.sql"], 1)).toThrow("by a version before 1.0.0");
  });
});

it.each([
  ["_bounds.sql", "NULL"],
  ["_fewer-rows.sql", `'{"v":1}'`],
])("what waits in the outbox before %s goes on waiting", (migration, history) => {
  using database = new DatabaseSync(":memory:");
  const migrate = (name: string) => database.exec(readFileSync(join(root, "migrations", name), "utf8"));
  const names = migrationNames();
  const next = names.findIndex((name) => name.endsWith(migration));
  for (const name of names.slice(0, next)) migrate(name);
  database.exec(`INSERT INTO workspaces (id, name, name_folded, plan, created_at)
    VALUES ('a', 'A', 'a', 'free', 0), ('b', 'B', 'b', 'free', 0);
    INSERT INTO outbox (id, workspace_id, kind, data, created_at)
    VALUES ('2', 'a', 'qr.created', '{"name":"Käse"}', 5)`);
  const [column, value] = history === "NULL" ? ["", ""] : [", history", `, ${history}`];
  database.exec(`INSERT INTO outbox (id, workspace_id, kind, data, created_at${column})
    VALUES ('1', 'a', '', '{}', 3${value})`);
  for (const name of names.slice(next)) migrate(name);
  const rows = (sql: string) => database.prepare(sql).all();
  expect(rows(`SELECT *, history IS ${history} AS kept FROM outbox`)).toMatchObject([
    { id: "1", workspace_id: "a", kind: "", data: "{}", created_at: 3, kept: 1 },
    { id: "2", workspace_id: "a", kind: "qr.created", data: '{"name":"Käse"}', created_at: 5, history: null },
  ]);
  const bytes = 300 + 16 + 300 + 2 + (history === "NULL" ? 0 : 7);
  // 1.1.0 compares the first column with its bounds, and wouldn't lower it.
  expect(
    rows("SELECT outbox_bytes AS compared, waiting_bytes AS counted FROM workspaces ORDER BY id"),
  ).toMatchObject([
    { compared: 0, counted: bytes },
    { compared: 0, counted: 0 },
  ]);
});
