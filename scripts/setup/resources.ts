import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { type Api, ApiError } from "../lib/account/api.ts";
import { type Account, pathOfAccount, readQueues } from "../lib/account/reads.ts";
import { queuesOf, titleOf } from "../lib/installation/installation.ts";
import type { Found } from "./probe.ts";

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
      await api.post(`${path}/queues`, { queue_name: queue });
      return undefined;
    },
  }));
  return [...databases, ...namespaces, ...buckets, ...queues];
}

/** How long queues keep messages instead of 14 days, in words, and why; both undefined for 14 days. */
interface Kept {
  readonly days?: string;
  readonly reason?: string;
}

/** Has the queues of a configuration keep messages for 14 days, which Workers Free refuses: there it is a day. */
export async function keepMessages(api: Api, account: Account, config: RawConfig): Promise<Kept> {
  const names = queuesOf(config);
  const own = (await readQueues(api, account)).filter(({ queue_name }) => names.includes(queue_name));
  for (const { queue_id, queue_name, settings = {} } of own) {
    const { message_retention_period: seconds = 0 } = settings;
    if (seconds >= queueRetentionSeconds) continue;
    try {
      await api.patch(`${pathOfAccount(account)}/queues/${queue_id}`, {
        queue_name,
        settings: { ...settings, message_retention_period: queueRetentionSeconds },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const days = Math.round(seconds / 86_400);
      return {
        days: days === 1 ? "a day" : seconds === 0 ? "less than 14 days" : `${days} days`,
        reason: `Cloudflare refuses more, as on Workers Free (${error.message}). To try it again: npm run setup`,
      };
    }
  }
  return {};
}

/** Names resources in one line for each kind. */
export function linesOf(resources: readonly Resource[]): string[] {
  const kinds = [...new Set(resources.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const names = resources.filter((each) => each.kind === kind).map(({ name }) => name);
    return `${kind}${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  });
}
