// The lower bound of a bulk job's cost: inserts the same rows into the same table and indexes, 500 per statement.
export default {
  async fetch(request, env) {
    const rows = await request.json();
    for (let from = 0; from < rows.length; from += 500) {
      await env.DB.prepare(
        `INSERT INTO qr_codes
           (id, workspace_id, hash, hash_folded, version, qr_type, name, data, tags, status, created_at, updated_at)
         SELECT value->>'id', value->>'workspaceId', value->>'hash', value->>'hash', 1, 'url', value->>'name', value->'data', '[]',
           'active', value->>'at', value->>'at'
         FROM json_each(?)`,
      )
        .bind(JSON.stringify(rows.slice(from, from + 500)))
        .run();
    }
    return new Response("done");
  },
};
