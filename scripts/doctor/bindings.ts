import type { Unstable_RawConfig as RawConfig } from "wrangler";
import type { Binding } from "../lib/account/reads.ts";
import { type Finding, failed, ok } from "./findings.ts";
import { deploy, type Subject } from "./subject.ts";

/** Returns where each binding of a configuration leads; undefined where the name says all. */
function targetsOf(service: RawConfig): Map<string, string | undefined> {
  return new Map([
    ...(service.d1_databases ?? []).map((each) => [each.binding, each.database_id] as const),
    ...(service.kv_namespaces ?? []).map((each) => [each.binding, each.id] as const),
    ...(service.r2_buckets ?? []).map((each) => [each.binding, each.bucket_name] as const),
    ...(service.services ?? []).map((each) => [each.binding, each.service] as const),
    ...(service.queues?.producers ?? []).map((each) => [each.binding, each.queue] as const),
    ...(service.durable_objects?.bindings ?? []).map((each) => [each.name, undefined] as const),
    ...(service.ratelimits ?? []).map((each) => [each.name, undefined] as const),
  ]);
}

/** Checks that a deployed Worker has the bindings of its configuration. @param name of the finding @param worker what to call it */
export function checkBindings(
  subject: Subject,
  config: RawConfig,
  deployed: ReadonlyMap<string, Binding>,
  name = "Worker's bindings",
  worker = "Worker",
): Finding {
  const targets = [...targetsOf(config)];
  const missing = targets.filter(([each]) => !deployed.has(each)).map(([each]) => each);
  if (missing.length > 0) {
    return failed(name, `The ${worker} lacks ${missing.join(", ")}.`, deploy(subject));
  }
  const elsewhere = targets.filter(([each, target]) => {
    const { id, namespace_id, bucket_name, queue_name, service } = deployed.get(each) ?? {};
    const actual = id ?? namespace_id ?? bucket_name ?? queue_name ?? service;
    return target !== undefined && actual !== undefined && actual !== target;
  });
  if (elsewhere.length > 0) {
    const what = `Elsewhere than the installation's file says: ${elsewhere.map(([each]) => each).join(", ")}.`;
    return failed(name, what, deploy(subject));
  }
  return ok(name, `All ${targets.length} are there.`);
}
