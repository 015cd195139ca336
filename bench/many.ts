import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { fullSizes as largeSizes, type Sizes } from "../scripts/company/large/contents.ts";
import { LargeStage } from "../scripts/company/large/fill.ts";
import { printErrors } from "../scripts/company/stage.ts";
import { build } from "../scripts/lib/build.ts";
import { issuer, origin, sessionSecret } from "../scripts/lib/seed.ts";
import { serviceOptions } from "../scripts/lib/service-options.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { liftRequestLimits } from "./lib/unlimited.ts";
import { ofCatalogueHeader, ofLedgerHeader } from "./workers/counted-headers.ts";

const full = {
  sizes: [{ codes: 500, folders: 50, domains: largeSizes.domains, scans: 10_000 }, largeSizes],
  rounds: 15,
};
const smoke: typeof full = {
  sizes: [1, 2].map((n) => ({ codes: 10 * n, folders: 2, domains: 1, scans: 20 * n })),
  rounds: 1,
};

/** Pages that read codes by their workspace, below /dashboard. `{folder}`, `{code}` and `{domain}` stand for ids. */
const pages: readonly (readonly [title: string, path: string])[] = [
  ["overview", ""],
  ["report of a folder", "?folder={folder}"],
  ["list of codes", "/codes"],
  ["a code", "/codes/{code}"],
  ["folders", "/folders"],
  ["delete a folder", "/folders/{folder}/delete"],
  ["tags", "/tags"],
  ["delete a tag of a fifth of the codes", "/tags/delete?tag=coffee"],
  ["domains", "/domains"],
  ["a domain", "/domains/{domain}"],
  ["history", "/history"],
  ["history of codes", "/history?kind=code"],
  ["history of a code", "/codes/{code}/history"],
  ["bin", "/bin"],
  ["change all codes", "/codes/bulk?q="],
  ["change a fifth of the codes", "/codes/bulk?q=tag:coffee"],
  ["change paused codes", "/codes/bulk?q=status:paused"],
  ["labels of all codes", "/print?q=&all=on"],
  ["images of all codes", "/print/images?q=&all=on"],
  ["export, until it begins", "/codes/export.csv?q="],
];

/** Pages of a workspace with 500 and with 50 000 codes: their time, and the rows that they read. */
export const many: Benchmark = {
  title: "Many codes",
  async run({ smoke: isSmoke }) {
    const { sizes, rounds } = isSmoke ? smoke : full;
    const folder = await mkdtemp(join(tmpdir(), "qr-many-"));
    const services: Service[] = [];
    try {
      for (const [i, size] of sizes.entries()) services.push(await start(size, join(folder, String(i))));
      const rows: string[][] = [];
      for (const [title, path] of pages) rows.push(await measure(services, title, path, rounds));
      const [few, most] = sizes.map(({ codes }) => codes.toLocaleString("en"));
      const head = [
        ...["page", `${few} codes, ms`, `${most} codes, ms`, "ratio"],
        ...["rows of the catalogue", "with more", "rows of the ledger", "with more"],
      ];
      return (
        `Median of ${rounds} interleaved requests. Both workspaces have the codes of \`npm run dev -- --example large\`, ` +
        "with a tenth as many folders and twenty scans a code. A row is read once for each code that is counted.\n\n" +
        table(head, rows)
      );
    } finally {
      for (const { miniflare } of services) await miniflare.dispose();
      await rm(folder, { recursive: true });
    }
  },
};

/** A service with a workspace. */
interface Service {
  readonly miniflare: Miniflare;
  readonly workspaceId: string;
  readonly cookie: string;
  /** Ids that stand in addresses. */
  readonly ids: Readonly<Record<string, string>>;
}

async function start(sizes: Sizes, storage: string): Promise<Service> {
  const variables = { SESSION_SECRET: sessionSecret };
  const say = (line: string) => console.log(line);
  const setting = { sizes, now: Date.now(), origin, issuer, subject: "many", variables, storage, say };
  const stage = await LargeStage.set(setting);
  const { workspaceId, cookie } = stage;
  await stage[Symbol.asyncDispose]();
  const options = serviceOptions(0, await build("bench/workers/counted.ts"), { variables, storage });
  const miniflare = new Miniflare({ ...options, handleStructuredLogs: printErrors });
  const db = await miniflare.getD1Database("DB");
  await liftRequestLimits(miniflare);
  const last = (tableName: string) => `(SELECT max(id) FROM ${tableName} WHERE workspace_id = ?1)`;
  const ids = await db
    .prepare(`SELECT ${last("folders")} AS folder, ${last("qr_codes")} AS code, ${last("domains")} AS domain`)
    .bind(workspaceId)
    .first<Record<string, string>>();
  return { miniflare, workspaceId, cookie, ids: ids ?? {} };
}

async function measure(services: readonly Service[], title: string, path: string, rounds: number) {
  const rows: { catalogue: string; ledger: string }[] = [];
  for (const service of services) {
    const counted = await open(service, path, { [ofLedgerHeader]: service.workspaceId });
    const read = (name: string) => counted.headers.get(name) ?? "";
    rows.push({ catalogue: read(ofCatalogueHeader), ledger: read(ofLedgerHeader) });
  }
  const times = services.map((): number[] => []);
  // The first of them isn't counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, service] of services.entries()) {
      const began = performance.now();
      await open(service, path);
      if (round > 0) times[i]?.push(performance.now() - began);
    }
  }
  const [few = 0, most = 0] = times.map(median);
  const row = [
    ...[title, few.toFixed(1), most.toFixed(1), `${(most / few).toFixed(2)} ×`],
    ...rows.map(({ catalogue }) => catalogue),
    ...rows.map(({ ledger }) => ledger),
  ];
  console.log(row.join(" | "));
  return row;
}

/** Opens a page, and reads it until its first part. @throws if it isn't there */
async function open({ miniflare, cookie, ids }: Service, path: string, headers: Record<string, string> = {}) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  const address = new URL(`/dashboard${filled}`, origin);
  const answer = await miniflare.dispatchFetch(address, {
    headers: { cookie, ...headers },
    redirect: "manual",
  });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return answer;
}
