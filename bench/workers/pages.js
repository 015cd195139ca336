// The lower bound of an export's cost: reads rows from a Durable Object in pages and writes them as JSON lines.
import { DurableObject } from "cloudflare:workers";

const page = 5000;

export class Store extends DurableObject {
  fill(rows) {
    this.ctx.storage.sql.exec(
      `CREATE TABLE scans (id TEXT PRIMARY KEY, qrId TEXT, hash TEXT, scannedAt TEXT, country TEXT, city TEXT,
         device TEXT, os TEXT, userAgent TEXT) WITHOUT ROWID`,
    );
    this.ctx.storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO scans SELECT printf('019b7600-0000-7000-8000-%012x', i), '01900000-0000-7000-8000-0000000000aa',
         '01234567', '2026-01-01T00:00:00.000Z', 'DE', 'Köln', 'mobile', 'iOS', ? FROM n`,
      rows,
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    );
  }

  page(after) {
    return this.ctx.storage.sql
      .exec("SELECT * FROM scans WHERE id > ? ORDER BY id LIMIT ?", after, page)
      .toArray();
  }
}

export default {
  async fetch(request, env) {
    const store = env.STORE.get(env.STORE.idFromName("store"));
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/fill") return new Response(await store.fill(Number(searchParams.get("rows"))));
    const encoder = new TextEncoder();
    let after = "";
    return new Response(
      new ReadableStream({
        async pull(controller) {
          const rows = await store.page(after);
          if (rows.length === 0) return controller.close();
          after = rows.at(-1).id;
          controller.enqueue(encoder.encode(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
        },
      }),
    );
  },
};
