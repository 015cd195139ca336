import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** A join after a list of values whose order SQLite may turn round, and so read a whole table. A left join it doesn't. */
const openJoin = /json_each\([^`]{0,80}?\)\s+(?:AS\s+)?(?!CROSS\b)\w*\s+(?:INNER\s+)?JOIN\b/g;

const findOpen = (text: string): string[] => [...text.matchAll(openJoin)].map(([join]) => join);

describe("statements that begin with a list", () => {
  it("say the order of their joins", () => {
    const files = globSync("src/**/*.ts");
    expect(files.length).toBeGreaterThan(500);
    const open = files.flatMap((file) =>
      findOpen(readFileSync(file, "utf8")).map((join) => [file.replaceAll("\\", "/"), join]),
    );
    expect(open).toEqual([]);
  });

  it.each([
    "FROM json_each(?) i JOIN codes c ON c.id = i.value",
    "FROM json_each(?1)\n  AS list INNER JOIN codes c ON c.id = list.value",
  ])("are found in %s", (sql) => {
    expect(findOpen(sql)).toHaveLength(1);
    expect(findOpen(sql.replace(/(INNER )?JOIN/, "CROSS JOIN"))).toEqual([]);
  });
});
