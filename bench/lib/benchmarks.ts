import { analytics } from "../analytics.ts";
import { api } from "../api.ts";
import { backup } from "../backup.ts";
import { bulk } from "../bulk.ts";
import { cpu } from "../cpu.ts";
import { dashboard } from "../dashboard.ts";
import { elimination } from "../elimination.ts";
import { scanExport } from "../export.ts";
import { growth } from "../growth.ts";
import { hostile } from "../hostile.ts";
import { images } from "../images.ts";
import { isolation } from "../isolation.ts";
import { many } from "../many.ts";
import { redirect } from "../redirect.ts";
import { search } from "../search.ts";
import { startup } from "../startup.ts";
import { webhooks } from "../webhooks.ts";
import type { Benchmark } from "./benchmark.ts";

/** All benchmarks, by the NAME of `npm run bench NAME`. */
export const benchmarks = {
  startup,
  redirect,
  elimination,
  api,
  cpu,
  bulk,
  export: scanExport,
  analytics,
  dashboard,
  many,
  search,
  webhooks,
  images,
  isolation,
  backup,
  growth,
  hostile,
} satisfies Record<string, Benchmark>;
