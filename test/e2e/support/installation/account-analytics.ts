/**
 * Answers a query for sums of today, as Cloudflare's analytics do.
 * @param used the sums, by dataset and name; KV operations also by kind
 */
export function sumsOfToday({ query }: { query: string }, used: ReadonlyMap<string, number>) {
  const today = new Date().toISOString().slice(0, 10);
  const asked = /(\w+)\(limit: 1000, filter: \{ date_geq: "([^"]+)"[^}]+\}\) \{ sum \{ ([\w ]+) \}/g;
  const account = [...query.matchAll(asked)].map(([, dataset = "", day, names = ""]) => {
    const sum = (kind = "") =>
      Object.fromEntries(
        names
          .split(" ")
          .map((name) => [name, day === today ? (used.get(`${dataset} ${name}${kind}`) ?? 0) : 0]),
      );
    const kinds = ["read", "write"].map((kind) => ({
      sum: sum(` ${kind}`),
      dimensions: { actionType: kind },
    }));
    return [dataset, dataset.startsWith("kv") ? kinds : [{ sum: sum() }]];
  });
  return { viewer: { accounts: [Object.fromEntries(account)] } };
}
