import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Unstable_RawConfig as RawConfig } from "wrangler";
import type { Binding } from "../../../../scripts/lib/account/reads.ts";
import { Failure } from "../../../../scripts/lib/failure.ts";
import { accountId, type Cloudflare, token } from "./cloudflare.ts";
import { etagOf } from "./cloudflare-d1.ts";

/**
 * Does what setup uses wrangler for by the same requests, without its seconds to start. `npm run test:all` runs setup with
 * wrangler itself.
 */
export function quickWrangler(cloudflare: Cloudflare, signal: AbortSignal) {
  const send = async (method: string, path: string, body: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${cloudflare.base}/accounts/${accountId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isForm ? {} : { "content-type": "application/json" }),
      },
      ...(method === "GET" ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal,
    });
    const answer = (await response.json()) as {
      errors: { code: number; message: string }[];
      result: unknown;
    };
    const [error] = answer.errors;
    if (error !== undefined) {
      throw new Failure(
        `A request to the Cloudflare API (/accounts/${accountId}${path}) failed.\n\n  ${error.message} [code: ${error.code}]`,
      );
    }
    return answer.result;
  };
  const migrate = async (config: RawConfig) => {
    for (const { database_id, migrations_dir = "" } of config.d1_databases ?? []) {
      const query = (sql: string) => send("POST", `/d1/database/${database_id}/query`, { sql });
      await query(
        "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
      );
      const [{ results }] = (await query("SELECT name FROM d1_migrations")) as [
        { results: { name: string }[] },
      ];
      for (const file of globSync(join(migrations_dir, "*.sql")).sort()) {
        if (results.some(({ name }) => name === basename(file))) continue;
        await query(
          `${readFileSync(file, "utf8")}\nINSERT INTO d1_migrations (name) VALUES ('${basename(file)}')`,
        );
      }
    }
  };
  const deploy = async (config: RawConfig, secrets: Record<string, string>) => {
    const form = new FormData();
    form.set(
      "metadata",
      JSON.stringify({
        bindings: bindingsOf(config, secrets),
        keep_bindings: ["secret_text"],
        limits: config.limits,
        code_update_strategy: config.durable_objects?.code_update_strategy,
      }),
    );
    await send("PUT", `/workers/scripts/${config.name}`, form);
    const domains = (config.routes ?? []).flatMap((route) =>
      typeof route === "string" ? [] : [{ hostname: route.pattern }],
    );
    if (domains.length > 0) {
      await send("PUT", `/workers/scripts/${config.name}/domains/records`, {
        origins: domains,
        // Without a terminal, wrangler takes hosts from whatever has them.
        override_scope: true,
        override_existing_origin: true,
        override_existing_dns_record: true,
      });
    }
    await send("POST", `/workers/scripts/${config.name}/subdomain`, {
      enabled: config.workers_dev ?? domains.length === 0,
      previews_enabled: config.preview_urls,
    });
    const queues = (await send("GET", "/queues", {})) as {
      queue_id: string;
      queue_name: string;
      consumers: object[];
    }[];
    const crons = (config.triggers?.crons ?? []).map((cron) => ({ cron }));
    if (crons.length > 0) await send("PUT", `/workers/scripts/${config.name}/schedules`, crons);
    for (const { queue: name, dead_letter_queue } of config.queues?.consumers ?? []) {
      const queue = queues.find(({ queue_name }) => queue_name === name);
      const path = `/queues/${queue?.queue_id}/consumers`;
      const exists = (queue?.consumers ?? []).length > 0;
      await send(exists ? "PUT" : "POST", exists ? `${path}/1` : path, {
        script_name: config.name,
        dead_letter_queue,
      });
    }
  };
  return async (args: string[]): Promise<string> => {
    signal.throwIfAborted();
    if (args.join(" ") === "auth token --json") return JSON.stringify({ type: "oauth", token });
    const after = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
    const read = (file: string | undefined) =>
      file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"));
    const config = read(after("-c")) as RawConfig;
    const database = `/d1/database/${config.d1_databases?.[0]?.database_id}`;
    const script = `/workers/scripts/${config.name}`;
    const [command, action, file] = args;
    const sqlFile = after("--file");
    if (command === "d1" && sqlFile !== undefined) {
      const sql = readFileSync(sqlFile, "utf8");
      const etag = etagOf(sql);
      const init = (await send("POST", `${database}/import`, { action: "init", etag })) as {
        upload_url: string;
        filename: string;
      };
      await fetch(init.upload_url, { method: "PUT", body: sql, signal });
      await send("POST", `${database}/import`, { action: "ingest", filename: init.filename, etag });
      return "";
    }
    if (command === "d1" && action === "execute") {
      return JSON.stringify(await send("POST", `${database}/query`, { sql: after("--command") }));
    }
    if (command === "d1" && action === "time-travel") {
      return JSON.stringify(await send("GET", `${database}/time_travel/bookmark`, {}));
    }
    if (command === "deployments") {
      const { deployments } = (await send("GET", `${script}/deployments`, {})) as { deployments: object[] };
      if (deployments[0] === undefined) throw new Failure("The Worker has no deployments.");
      return JSON.stringify(deployments[0]);
    }
    if (command === "secret" && action === "list") {
      return JSON.stringify(await send("GET", `${script}/secrets`, {}).catch(sayNotFound(config.name)));
    }
    if (command === "secret") {
      const values = Object.entries(read(file) as Record<string, string | null>);
      const secrets = values.map(([name, text]) => [
        name,
        text === null ? null : { name, text, type: "secret_text" },
      ]);
      await send("PATCH", `${script}/secrets-bulk`, { secrets: Object.fromEntries(secrets) });
    } else if (command === "d1") await migrate(config);
    else await deploy(config, read(after("--secrets-file")) as Record<string, string>);
    return "";
  };
}

/** Says of a Worker that isn't deployed what wrangler says. */
const sayNotFound = (name: string | undefined) => (error: unknown) => {
  if (!(error instanceof Failure && error.message.includes("[code: 10007]"))) throw error;
  throw new Failure(`Worker "${name}" not found.`);
};

/** A Worker's bindings, as they are uploaded. Secrets that aren't given are those that it has. */
function bindingsOf(config: RawConfig, secrets: Record<string, string>): Binding[] {
  return [
    ...Object.entries(config.vars ?? {}).map(([name, text]) => ({
      type: "plain_text",
      name,
      text: String(text),
    })),
    ...Object.entries(secrets).map(([name, text]) => ({ type: "secret_text", name, text })),
    ...(config.secrets?.required ?? [])
      .filter((name) => !(name in secrets))
      .map((name) => ({ type: "inherit", name })),
    ...(config.d1_databases ?? []).map(({ binding, database_id = "" }) => ({
      type: "d1",
      name: binding,
      id: database_id,
    })),
    ...(config.kv_namespaces ?? []).map(({ binding, id = "" }) => ({
      type: "kv_namespace",
      name: binding,
      namespace_id: id,
    })),
    ...(config.r2_buckets ?? []).map(({ binding, bucket_name = "" }) => ({
      type: "r2_bucket",
      name: binding,
      bucket_name,
    })),
    ...(config.queues?.producers ?? []).map(({ binding, queue = "" }) => ({
      type: "queue",
      name: binding,
      queue_name: queue,
    })),
    ...(config.services ?? []).map(({ binding, service }) => ({ type: "service", name: binding, service })),
    ...(config.durable_objects?.bindings ?? []).map(({ name, script_name }) => ({
      type: "durable_object_namespace",
      name,
      ...(script_name === undefined ? {} : { script_name }),
    })),
    ...(config.ratelimits ?? []).map(({ name }) => ({ type: "ratelimit", name })),
  ];
}
