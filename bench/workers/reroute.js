// The lower bound of a bulk update that changes routes: the same rows, calls of nine feeds and writes to KV, in slices
// like the service's. Each part can be measured on its own.
import { DurableObject } from "cloudflare:workers";

const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"];
const sliceSize = 200;

export class Feed extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS changes
         (seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, version INTEGER, at INTEGER);
       CREATE INDEX IF NOT EXISTS by_age ON changes (at)`,
    );
  }

  publish(changes) {
    const now = Date.now();
    for (const { key, version } of changes) {
      this.ctx.storage.sql.exec(
        "INSERT OR REPLACE INTO changes (key, version, at) VALUES (?, ?, ?)",
        key,
        version,
        now,
      );
    }
  }
}

const parts = {
  async rows(env, codes) {
    await env.DB.prepare(
      `UPDATE qr_codes SET data = value->'data', version = value->>'version', updated_at = value->>'at'
       FROM json_each(?) WHERE qr_codes.id = value->>'id'`,
    )
      .bind(JSON.stringify(codes))
      .run();
  },
  async feeds(env, codes) {
    const changes = codes.map(({ hash, version }) => ({ key: hash, version }));
    await Promise.all(regions.map((region) => env.FEEDS.get(env.FEEDS.idFromName(region)).publish(changes)));
  },
  async kv(env, codes) {
    const next = codes.values();
    const write = async () => {
      for (const { hash, ...route } of next) await env.ROUTES.put(hash, JSON.stringify(route));
    };
    await Promise.all(Array.from({ length: 6 }, write));
  },
};

export default {
  async fetch(request, env) {
    const { codes, part } = await request.json();
    for (let from = 0; from < codes.length; from += sliceSize) {
      await parts[part](env, codes.slice(from, from + sliceSize));
    }
    return new Response("done");
  },
};
