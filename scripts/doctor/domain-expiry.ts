import * as z from "zod";
import { type Finding, failed, ok, unknown, warning } from "./findings.ts";
import { readJson } from "./network.ts";

/** IANA's list of the registries' RDAP services, by top-level domain. */
const bootstrap = "https://data.iana.org/rdap/dns.json";

/** How long an answer may take, and its size. The list has some 100 KB. */
const answer = { milliseconds: 8_000, bytes: 1_000_000 };

/** How long before its end a domain calls for attention. Most are renewed a month before. */
const days = { warning: 30, failed: 7 };

const Services = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) });
const Domain = z.object({
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() })).optional(),
});

interface Means {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Asks the registry when a domain's registration ends. */
export async function checkExpiry(domain: string, means: Means): Promise<Finding> {
  const name = `registration of ${domain}`;
  const page = `https://lookup.icann.org/en/lookup?q=${domain}`;
  try {
    const services = Services.parse(await read(bootstrap, means)).services;
    const topLevel = domain.split(".").at(-1) ?? "";
    const [, addresses = []] = services.find(([domains]) => domains.includes(topLevel)) ?? [];
    const base = addresses.find((address) => address.startsWith("https://"));
    if (base === undefined) {
      return unknown(name, `Not checked. The registry of .${topLevel} doesn't tell when domains end.`, page);
    }
    const { events } = Domain.parse(await read(`${base.replace(/\/?$/, "/")}domain/${domain}`, means));
    const date = events?.find(({ eventAction }) => eventAction === "expiration")?.eventDate;
    const end = Date.parse(date ?? "");
    if (Number.isNaN(end)) return unknown(name, "Not checked. The registry doesn't tell when it ends.", page);
    const left = Math.floor((end - means.now()) / 86_400_000);
    const shown = new Date(end).toISOString().slice(0, 10);
    if (left < 0) return failed(name, `It ended on ${shown}.`, page);
    const what = `It ends on ${shown}, in ${left} days.`;
    if (left < days.failed) return failed(name, what, page);
    return left < days.warning ? warning(name, what, page) : ok(name, what);
  } catch (error) {
    means.signal.throwIfAborted();
    return unknown(name, `Not checked. The registry can't be reached: ${reasonOf(error)}.`, page);
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message.split("\n")[0] : "") || "no answer";

async function read(url: string, { fetch, signal }: Means): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/rdap+json, application/json" },
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(answer.milliseconds)]),
  });
  if (response.ok) return readJson(response, answer.bytes);
  await response.body?.cancel();
  throw new Error(`status ${response.status}`);
}
