// The lower bound of a report's cost: reads as many rows, of the same sizes, with plain SQL.
import { DurableObject } from "cloudflare:workers";

export class Store extends DurableObject {
  fill(rows, bytes) {
    const { sql } = this.ctx.storage;
    sql.exec(
      "CREATE TABLE rollups (code INTEGER, day INTEGER, sums BLOB, PRIMARY KEY (code, day)) WITHOUT ROWID",
    );
    sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO rollups SELECT 1, i, randomblob(?) FROM n`,
      rows,
      bytes,
    );
  }

  read() {
    const rows = this.ctx.storage.sql.exec("SELECT day, sums FROM rollups WHERE code = 1").toArray();
    return rows.map(({ day, sums }) => ({ day, bytes: sums.byteLength }));
  }
}

export default {
  async fetch(request, env) {
    const store = env.STORE.get(env.STORE.idFromName("store"));
    if (request.method === "GET") return Response.json(await store.read());
    const { rows, bytes } = await request.json();
    await store.fill(rows, bytes);
    return new Response();
  },
};
