import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { filePrefixes, leftOutFilePrefixes } from "../../../src/protocol/backup.ts";
import { subrequest } from "./invocation.ts";
import { checkLimit, checkMinimum, fail, platform } from "./platform.ts";
import { checkSend, checkSendBatch } from "./queue.ts";
import { sqlBytes, textBytes } from "./sizes.ts";

type Method = (this: object, ...args: never[]) => unknown;
type Row = Record<string, unknown> | readonly unknown[];

let installed = false;

/**
 * Makes this runtime's bindings enforce the platform's limits. The classes themselves are changed, so that the limits
 * apply wherever a binding is used: in Workers, queue consumers and Durable Objects, and below the wrappers with which
 * tests inject faults.
 */
export async function enforceBindingLimits(): Promise<void> {
  if (installed) return;
  installed = true;
  limitQueue(prototypeOf(env.SCANS));
  limitKv(prototypeOf(env.ROUTES));
  limitFiles(prototypeOf(env.FILES));
  const session = env.DB.withSession();
  limitD1(prototypeOf(env.DB), prototypeOf(session), prototypeOf(session.prepare("SELECT 1")));
  // The classes of the SQL storage are only reachable inside an object.
  await runInDurableObject(env.FEEDS.get(env.FEEDS.newUniqueId()), (_, { storage: { sql } }) => {
    limitObjectSql(prototypeOf(sql), prototypeOf(sql.exec("SELECT 1")));
  });
}

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

/** Replaces a method. @param wrap returns the replacement, given the original method bound to the same object */
function replace(
  prototype: object,
  name: string,
  wrap: (call: (...args: unknown[]) => unknown, ...args: unknown[]) => unknown,
): void {
  const original = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: object, ...args: unknown[]) {
      return wrap((...passed) => original.apply(this, passed as never[]), ...args);
    },
  });
}

function limitQueue(queue: object): void {
  replace(queue, "send", async (call, body, options) => {
    checkSend(body, options as QueueSendOptions | undefined);
    return subrequest(() => call(body, options));
  });
  replace(queue, "sendBatch", async (call, messages, options) => {
    const list = [...(messages as Iterable<MessageSendRequest>)];
    checkSendBatch(list, options as QueueSendBatchOptions | undefined);
    return subrequest(() => call(list, options));
  });
}

function limitKv(kv: object): void {
  const { key: maxKey, value: maxValue, metadata: maxMetadata, cacheTtl, expirationTtl } = platform.kv;
  const checkKeys = (keys: unknown) => {
    for (const key of [keys].flat()) checkLimit("bytes of a KV key", textBytes(String(key)), maxKey);
  };
  const operation = (call: () => unknown) => subrequest(call, { kvOperations: 1 });
  for (const name of ["get", "getWithMetadata"]) {
    replace(kv, name, async (call, key, options) => {
      checkKeys(key);
      checkMinimum("cacheTtl of KV", (options as { cacheTtl?: number } | undefined)?.cacheTtl, cacheTtl);
      return operation(() => call(key, options));
    });
  }
  replace(kv, "put", async (call, key, value, options) => {
    const { metadata, expirationTtl: ttl } = (options ?? {}) as KVNamespacePutOptions;
    checkKeys(key);
    if (!(value instanceof ReadableStream)) checkLimit("bytes of a KV value", sqlBytes(value), maxValue);
    checkLimit("bytes of KV metadata", textBytes(JSON.stringify(metadata) ?? ""), maxMetadata);
    checkMinimum("expirationTtl of KV", ttl, expirationTtl);
    return operation(() => call(key, value, options));
  });
  replace(kv, "delete", async (call, key) => {
    checkKeys(key);
    return operation(() => call(key));
  });
  replace(kv, "list", async (call, options) => operation(() => call(options)));
}

/** A backup must have every file, or leave it out on purpose. */
function limitFiles(files: object): void {
  const prefixes = [...filePrefixes, ...leftOutFilePrefixes];
  replace(files, "put", (call, key, ...rest) => {
    if (!prefixes.some((prefix) => String(key).startsWith(prefix)))
      fail(`the file ${key} has no prefix of src/protocol/backup.ts`);
    return call(key, ...rest);
  });
}

function limitD1(database: object, session: object, statement: object): void {
  for (const prototype of [database, session]) {
    replace(prototype, "prepare", (call, sql) => {
      checkText(String(sql));
      return call(sql);
    });
  }
  // A database's batch runs in its session.
  replace(session, "batch", async (call, statements) => {
    const queries = (statements as readonly unknown[]).length;
    const results = (await subrequest(() => call(statements), { queries })) as D1Result<Row>[];
    for (const each of results) checkRows(each.results);
    return results;
  });
  replace(statement, "bind", (call, ...values) => {
    checkParameters(values);
    return call(...values);
  });
  for (const name of ["all", "run", "raw", "first"]) {
    replace(statement, name, async (call, ...args) => {
      const result = await subrequest(() => call(...args), { queries: 1 });
      if (name === "raw") checkRows(result as Row[]);
      else if (name !== "first") checkRows((result as D1Result<Row>).results);
      else if (result !== null) checkRows([typeof result === "object" ? (result as Row) : [result]]);
      return result;
    });
  }
}

function limitObjectSql(sql: object, cursor: object): void {
  replace(sql, "exec", (call, text, ...values) => {
    checkText(String(text));
    checkParameters(values);
    return call(text, ...values);
  });
  replace(cursor, "toArray", (call) => {
    const rows = call() as Row[];
    checkRows(rows);
    return rows;
  });
  replace(cursor, "one", (call) => {
    const row = call() as Row;
    checkRows([row]);
    return row;
  });
}

function checkText(sql: string): void {
  checkLimit("bytes of an SQL statement", textBytes(sql), platform.sql.text);
}

function checkParameters(values: readonly unknown[]): void {
  checkLimit("bound parameters of a statement", values.length, platform.sql.parameters);
  for (const value of values) checkLimit("bytes of an SQL parameter", sqlBytes(value), platform.sql.value);
}

/** Checks the rows that a query returns to the isolate, individually and in total. */
function checkRows(rows: readonly Row[] = []): void {
  let total = 0;
  for (const row of rows) {
    const bytes = Object.values(row).reduce<number>((sum, value) => sum + sqlBytes(value), 0);
    checkLimit("bytes of a row", bytes, platform.sql.value);
    total += bytes;
  }
  checkLimit("bytes of a result set", total, platform.resultSet);
}
