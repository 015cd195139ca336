import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, it, vi } from "vitest";
import { describeError, log } from "../../src/lib/log.ts";
import { findLeaks } from "../support/runner/log-watch.ts";

/** A log line as it is written. */
function written(fields: Record<string, unknown>): string {
  const output = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    log("info", "test", fields);
    return String(output.mock.calls[0]?.[0]);
  } finally {
    output.mockRestore();
  }
}

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

const params = ["Ada Lovelace", "line one\n    at ada (secret.ts:1:1)\nparams: 2"];
const queryError = () =>
  new DrizzleQueryError(
    'insert into "users" ("name") values (?)',
    params,
    new Error("D1_ERROR: UNIQUE constraint failed: users.name: SQLITE_CONSTRAINT"),
  );

describe("the description of an error", () => {
  it("has the statement of a failed query, its cause and both stacks, and no bound parameter", () => {
    const described = describeError(queryError());
    expect(described).toContain('Failed query: insert into "users" ("name") values (?)\n    at ');
    expect(described).toMatch(
      /\nCaused by: Error: D1_ERROR: UNIQUE constraint failed: users\.name: SQLITE_CONSTRAINT\n +at /,
    );
    expect(described.match(/log\.test/g)?.length).toBeGreaterThanOrEqual(2);
    expect(described).not.toMatch(/Ada|Lovelace|line one|secret\.ts|params/);
  });

  it("has a failed query that is itself a cause", () => {
    const described = describeError(new TypeError("not stored", { cause: queryError() }));
    expect(described).toMatch(/^TypeError: not stored\n/);
    expect(described).toContain("SQLITE_CONSTRAINT");
    expect(described).not.toContain("Ada");
  });

  it.each([
    [
      "a value that D1 can't bind",
      new Error("D1_TYPE_ERROR: Type 'symbol' not supported for value 'Ada\nLovelace'"),
    ],
    ["text that is no JSON", parseError('{"name": Ada}')],
    ["long text that is no JSON", parseError(`{"items":[${'"Ada",'.repeat(50)}Ada]}`)],
    ["an object", { name: "Ada" }],
    ["parameters", new URLSearchParams({ code: "Ada" })],
    ["an error that is caused by an object", new Error("failed", { cause: { name: "Ada" } })],
  ])("has no value of %s", (_, error) => {
    const described = describeError(error);
    expect(described).not.toContain("Ada");
    expect(described).toMatch(/D1_TYPE_ERROR|not valid JSON|a thrown \[object \w+\]/);
  });

  it("ends, however the causes are linked", () => {
    const error = new Error("first");
    error.cause = new Error("second", { cause: error });
    expect(describeError(error).match(/Caused by: /g)).toHaveLength(5);
  });

  it("is the text of thrown text, and names nothing of no value", () => {
    expect(describeError("plain")).toBe("plain");
    expect(describeError(null)).toBe("a thrown [object Null]");
  });
});

describe("a log line", () => {
  const key = `sk_live_${"x1".repeat(16)}`;
  it.each([
    ["a key", key],
    ["a publishable key", key.replace("sk", "pk")],
    ["a signing secret", `whsec_${"x1".repeat(16)}`],
    ["a JWT", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"],
    ["an encrypted token", "eyJhbGciOiJkaXIifQ..aXZpdml2.Y2lwaGVy.dGFn"],
    ["an email address", "ada.l+x@mail.example.com"],
    ["an email address in other scripts", "jörg@müller.example"],
    ["a phone number", "+4930901820"],
    ["a callback with its code", "https://qr.example/dashboard/callback?code=c0de&state=x"],
    ["an address with a password", "https://ada:c0de@host.example/hook?token=c0de"],
  ])("does not hold %s", (_, secret) => {
    for (const text of [secret, `before ${secret} after`, `(${secret})`]) {
      const line = written({ path: text, nested: { error: describeError(new Error(text)) } });
      expect(findLeaks([line])).toEqual([]);
      expect(line).not.toMatch(/c0de|ada|jörg/i);
    }
    // The search of the tests sees it, so that an empty result means something.
    if (!secret.startsWith("http")) expect(findLeaks([secret])).not.toEqual([]);
  });

  it("keeps hosts, ids, stacks and versions", () => {
    const kept = {
      host: "hooks.example.com:8443",
      id: "01900000-0000-7000-8000-0000000000aa",
      frame: "at run (file:///app/node_modules/@cloudflare/plugin/index.mjs:12:34)",
      version: "drizzle-orm@0.45.4",
      path: "/api/v1/qr/01900000-0000-7000-8000-0000000000aa",
    };
    expect(JSON.parse(written(kept))).toEqual({ level: "info", message: "test", ...kept });
    expect(written({ url: "https://hooks.example.com/a?b" })).toContain('"https://hooks.example.com/…"');
  });
});
