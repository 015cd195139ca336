import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { BackupFolder } from "../scripts/backup/folder.ts";
import { restoreBackup } from "../scripts/backup/put.ts";
import { takeBackup, type World } from "../scripts/backup/take.ts";
import { verifyBackup } from "../scripts/backup/verify.ts";
import { fullSizes as largeSizes, type Sizes } from "../scripts/company/large/contents.ts";
import { LargeStage } from "../scripts/company/large/fill.ts";
import { printErrors } from "../scripts/company/stage.ts";
import { build } from "../scripts/lib/build.ts";
import { migrate } from "../scripts/lib/catalogue.ts";
import { issuer, origin, sessionSecret } from "../scripts/lib/seed.ts";
import { serviceOptions } from "../scripts/lib/service-options.ts";
import { phone } from "./compare.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { quantile, table } from "./lib/results.ts";
import { liftRequestLimits } from "./lib/unlimited.ts";

const full = { sizes: largeSizes, samples: 200 };
const smoke: typeof full = { sizes: { codes: 20, folders: 2, domains: 1, scans: 40 }, samples: 3 };

const backupSecret = "a-secret-that-allows-backups-for-benchmarks";
const variables = { SESSION_SECRET: sessionSecret, BACKUP_SECRET: backupSecret };

/** When a command last said that something is done, by what it names first. */
const doneAt = new Map<string, number>();
const say = (line: string) => {
  doneAt.set(/✓ (\w+)/.exec(line)?.[1] ?? "", performance.now());
  console.log(line);
};

/** A workspace's backup, its restoration into an empty installation, and how long its requests wait meanwhile. */
export const backup: Benchmark = {
  title: "Backup and restoration",
  async run({ smoke: isSmoke }) {
    const { sizes, samples } = isSmoke ? smoke : full;
    const parent = await mkdtemp(join(tmpdir(), "qr-backup-"));
    const services: Miniflare[] = [];
    try {
      const storage = join(parent, "source");
      const staged = await stage(sizes, storage);
      const source = await start(storage, services);
      await liftRequestLimits(source);
      const target = await start(join(parent, "target"), services);
      await migrate(await target.getD1Database("DB"));
      const folder = new BackupFolder(join(parent, "backup"));

      await latencies(source, staged, () => false, 1);
      const alone = await latencies(source, staged, () => false, samples);
      const rows: string[][] = [];
      const report = (title: string, { seconds, memory, catalogue, ledgers }: Timed, others = "") => {
        const rates = [sizes.codes / catalogue, sizes.scans / ledgers].map((rate) =>
          Number.isFinite(rate) ? Math.round(rate).toLocaleString("en") : "",
        );
        rows.push([title, seconds.toFixed(1), ...rates, `${Math.round(memory / 2 ** 20)} MiB`, others]);
        console.log(rows.at(-1)?.join(" | "));
      };
      report("backup", await timed(() => takeBackup(folder, worldOf(source))));
      let isOver = false;
      const again = timed(() => takeBackup(new BackupFolder(join(parent, "beside")), worldOf(source)));
      const [slowed, during] = await Promise.all([
        again.finally(() => {
          isOver = true;
        }),
        latencies(source, staged, () => isOver, Number.POSITIVE_INFINITY),
      ]);
      report("backup beside requests", slowed, ratios(alone, during));
      report("backup of what is new", await timed(() => takeBackup(folder, worldOf(source))));
      report("verify", await timed(() => verifyBackup(folder, say)));
      report("restore and compare", await timed(() => restoreBackup(folder, worldOf(target))));
      const bytes = await sizeOf(folder.path);
      return (
        `A workspace of ${sizes.codes.toLocaleString("en")} codes and ${sizes.scans.toLocaleString("en")} scans. ` +
        `The backup has ${Math.round(bytes / 2 ** 20)} MiB. Memory is by how much the command's process grew.\n\n` +
        table(
          [
            "command",
            "s",
            "codes/s",
            "scans/s",
            "memory",
            "others wait, p50 and p95: scan, report of a day, creation",
          ],
          rows,
        )
      );
    } finally {
      for (const miniflare of services) await miniflare.dispose();
      await rm(parent, { recursive: true });
    }
  },
};

interface Staged {
  readonly apiKey: string;
  readonly hash: string;
}

async function stage(sizes: Sizes, storage: string): Promise<Staged> {
  const setting = { sizes, now: Date.now(), origin, issuer, subject: "backup", variables, storage, say };
  await using staged = await LargeStage.set(setting);
  const { apiKey } = staged;
  const answer = await staged.fetch("/api/v1/qr?limit=1", {
    method: "GET",
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { items } = (await answer.json()) as { items: { hash: string }[] };
  return { apiKey, hash: items[0]?.hash ?? "" };
}

async function start(storage: string, services: Miniflare[]): Promise<Miniflare> {
  const options = serviceOptions(0, await build("src/index.ts"), { variables, storage });
  const miniflare = new Miniflare({ ...options, handleStructuredLogs: printErrors });
  services.push(miniflare);
  return miniflare;
}

const worldOf = (miniflare: Miniflare): World => ({
  appOrigin: origin,
  backupSecret,
  signal: new AbortController().signal,
  patience: 500,
  say,
  time: Date.now,
  fetch: async (url, init) =>
    (await miniflare.dispatchFetch(String(url), init as never)) as unknown as Response,
});

interface Timed {
  readonly seconds: number;
  /** By how many bytes this process grew. */
  readonly memory: number;
  /** Seconds until the last file or ledger was there, and from then on until the catalogue was. */
  readonly ledgers: number;
  readonly catalogue: number;
}

async function timed(command: () => Promise<unknown>): Promise<Timed> {
  let memory = 0;
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage.rss() - before);
  }, 100);
  doneAt.clear();
  const began = performance.now();
  try {
    await command();
  } finally {
    clearInterval(watch);
  }
  const [scans, catalogue] = [doneAt.get("Scans") ?? Number.NaN, doneAt.get("Catalogue") ?? Number.NaN];
  return {
    seconds: (performance.now() - began) / 1000,
    memory,
    ledgers: (scans - began) / 1000,
    catalogue: (catalogue - scans) / 1000,
  };
}

/** Times requests of a workspace, one after another, in milliseconds by their kind. */
async function latencies(
  miniflare: Miniflare,
  { apiKey, hash }: Staged,
  isOver: () => boolean,
  most: number,
): Promise<Readonly<Record<string, number[]>>> {
  const authorization = `Bearer ${apiKey}`;
  const body = JSON.stringify({ qrType: "url", data: { type: "url", url: "https://example.com/" } });
  const json = { authorization, "content-type": "application/json" };
  const today = new Date().toISOString().slice(0, 10);
  const requests = {
    scan: [`/${hash}`, { headers: { "user-agent": phone } }],
    report: [
      `/api/v1/analytics?dimensions=country&from=${today}&to=${today}`,
      { headers: { authorization } },
    ],
    creation: ["/api/v1/qr", { method: "POST", headers: json, body }],
  } as const;
  const times: Record<string, number[]> = {};
  for (let made = 0; made < most && !isOver(); made += 1) {
    for (const [kind, [path, init]] of Object.entries(requests)) {
      const began = performance.now();
      const answer = await miniflare.dispatchFetch(`${origin}${path}`, { ...init, redirect: "manual" });
      await answer.arrayBuffer();
      if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}`);
      times[kind] ??= [];
      times[kind].push(performance.now() - began);
    }
  }
  return times;
}

/** Says how much longer requests take, at the median and at 95 %. */
function ratios(alone: Readonly<Record<string, number[]>>, during: typeof alone): string {
  const quantiles = (times: readonly number[] = []) => {
    const sorted = times.toSorted((a, b) => a - b);
    return [0.5, 0.95].map((fraction) => quantile(sorted, fraction));
  };
  const kinds = Object.keys(alone).map((kind) => {
    const before = quantiles(alone[kind]);
    return quantiles(during[kind])
      .map((time, i) => `${(time / (before[i] ?? Number.NaN)).toFixed(1)} ×`)
      .join(" and ");
  });
  return kinds.join(", ");
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
