import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { queuesOf, titleOf } from "../lib/installation/installation.ts";
import type { Api } from "./api.ts";
import type { Account, Found } from "./probe.ts";

/** Something that the account has to have. */
export interface Resource {
  readonly kind: "D1 database" | "KV namespace" | "R2 bucket" | "Queue";
  readonly name: string;
  readonly exists: boolean;
  /** Creates it. @returns the id that its binding needs, if any */
  readonly create: () => Promise<{ binding: string; id: string } | undefined>;
}

/** How long queues keep messages on paid plans: 14 days, the longest possible. The Free plan has its own, shorter. */
export const queueRetentionSeconds = 14 * 24 * 60 * 60;

/** Returns all resources that a configuration names. */
export function resourcesOf(
  api: Api,
  account: Account,
  config: RawConfig,
  prefix: string,
  found: Found,
): Resource[] {
  const path = `/accounts/${account.id}`;
  const databases = (config.d1_databases ?? []).map(({ binding, database_name: name = "" }) => ({
    kind: "D1 database" as const,
    name,
    exists: binding in found.ids,
    create: async () => {
      const { uuid } = await api.post<{ uuid: string }>(`${path}/d1/database`, { name });
      return { binding, id: uuid };
    },
  }));
  const namespaces = (config.kv_namespaces ?? []).map(({ binding }) => ({
    kind: "KV namespace" as const,
    name: titleOf(prefix, binding),
    exists: binding in found.ids,
    create: async () => {
      const title = titleOf(prefix, binding);
      const { id } = await api.post<{ id: string }>(`${path}/storage/kv/namespaces`, { title });
      return { binding, id };
    },
  }));
  const buckets = (config.r2_buckets ?? []).map(({ bucket_name: name = "" }) => ({
    kind: "R2 bucket" as const,
    name,
    exists: found.buckets?.has(name) ?? false,
    create: async () => {
      await api.post(`${path}/r2/buckets`, { name });
      return undefined;
    },
  }));
  const queues = queuesOf(config).map((queue) => ({
    kind: "Queue" as const,
    name: queue,
    exists: found.queues.has(queue),
    create: async () => {
      const settings =
        found.plan === "paid" ? { settings: { message_retention_period: queueRetentionSeconds } } : {};
      await api.post(`${path}/queues`, { queue_name: queue, ...settings });
      return undefined;
    },
  }));
  return [...databases, ...namespaces, ...buckets, ...queues];
}

/** Names resources in one line for each kind. */
export function linesOf(resources: readonly Resource[]): string[] {
  const kinds = [...new Set(resources.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const names = resources.filter((each) => each.kind === kind).map(({ name }) => name);
    return `${kind}${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  });
}
