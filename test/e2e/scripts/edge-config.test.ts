import { join } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { edgeConfig, root } from "../../../scripts/lib/wrangler.ts";
import { config as main } from "../support/installation/configuration.ts";

const edge = unstable_readConfig({ config: join(root, edgeConfig) });

/** Returns the parts of a list by their bindings. */
const byBinding = <Part extends { binding: string }>(parts: readonly Part[]) =>
  new Map(parts.map((part) => [part.binding, part]));

it("the Worker for scans has the main Worker's databases, queues, limits and objects under the same names", () => {
  for (const { binding, database_id, database_name } of edge.d1_databases) {
    expect(byBinding(main.d1_databases).get(binding)).toMatchObject({ database_id, database_name });
  }
  for (const { binding, id } of edge.kv_namespaces) {
    expect(byBinding(main.kv_namespaces).get(binding)?.id).toBe(id);
  }
  for (const { binding, queue } of edge.queues.producers ?? []) {
    expect(byBinding(main.queues.producers ?? []).get(binding)?.queue).toBe(queue);
  }
  for (const limit of edge.ratelimits) expect(main.ratelimits).toContainEqual(limit);
  for (const { name, class_name, script_name } of edge.durable_objects.bindings) {
    expect(script_name).toBe(main.name);
    expect(main.durable_objects.bindings).toContainEqual({ name, class_name });
  }
  expect(edge.services).toEqual([{ binding: "MAIN", service: main.name }]);
  expect(edge.compatibility_date).toBe(main.compatibility_date);
});

it("the Worker for scans has no routes, so that a deployment detaches no host", () => {
  expect([edge.routes, edge.route]).toEqual([undefined, undefined]);
  expect([edge.workers_dev, edge.preview_urls]).toEqual([false, false]);
});
