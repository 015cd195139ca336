import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { type Binding, readBindings, readScripts } from "../lib/account/reads.ts";
import { scanHostsOf } from "../lib/installation/edge-hosts.ts";
import { isOurs } from "../lib/installation/hosts.ts";
import { workersOf } from "../lib/installation/installation.ts";
import { newestName } from "../lib/installation/stored-secrets.ts";
import { visitorSecret } from "../lib/installation/visitor-secret.ts";
import { checkBindings } from "./bindings.ts";
import { type Finding, failed, ok, warning } from "./findings.ts";
import { deploy, type Subject } from "./subject.ts";

const worker = "Worker for scans";

/** Checks the Worker for scans, if the installation has one. */
export async function checkEdge(subject: Subject): Promise<Finding[]> {
  const { edge, service } = subject.configs;
  if (edge === undefined) return [];
  const { api, account } = subject;
  const scripts = await readScripts(api, account);
  if (!scripts.has(edge.name ?? "")) return [failed(worker, `${edge.name} isn't deployed.`, deploy(subject))];
  const read = async ({ name = "" }: RawConfig) =>
    new Map((await readBindings(api, account, name)).map((binding) => [binding.name, binding]));
  const deployed = await read(edge);
  return [
    checkVersion(subject, edge, deployed),
    checkBindings(subject, edge, deployed, `bindings of the ${worker}`, worker),
    ...(scripts.has(service.name ?? "") ? [checkSecret(subject, deployed, await read(service))] : []),
  ];
}

/** Its variables say which version and settings it has. */
function checkVersion(subject: Subject, edge: RawConfig, deployed: ReadonlyMap<string, Binding>): Finding {
  const different = Object.entries(edge.vars ?? {}).filter(
    ([name, value]) => (deployed.get(name)?.text ?? "") !== String(value),
  );
  if (different.length === 0)
    return ok(worker, `${edge.name} is deployed, as version ${edge.vars?.VERSION}.`);
  const names = different.map(([name]) => name).join(", ");
  return warning(
    worker,
    `It has another version or other settings than this checkout: ${names}.`,
    deploy(subject),
  );
}

/** Secrets can't be read, so that their names have to tell whether both Workers have the same. */
function checkSecret(
  subject: Subject,
  edge: ReadonlyMap<string, Binding>,
  service: ReadonlyMap<string, Binding>,
): Finding {
  const about = "secret of the Worker for scans";
  const name = newestName(visitorSecret, service.keys());
  if (newestName(visitorSecret, edge.keys()) === name && edge.has(name)) {
    return ok(about, "It has the service's.");
  }
  const what = `It lacks the service's ${name}, so that a visitor can count as two.`;
  return failed(about, what, deploy(subject));
}

/** Returns the finding for a host that leads to a Worker of the installation; undefined for any other. */
export function ofOwnWorker(subject: Subject, host: string, worker: string | undefined): Finding | undefined {
  const { installation } = subject;
  const workers = workersOf(installation.prefix);
  if (!isOurs(worker, workers)) return undefined;
  const name = `domain ${host}`;
  const isAtEdge = worker === workers.edge;
  if (installation.edge && !isAtEdge && scanHostsOf(installation).includes(host)) {
    return warning(name, "It points to the service itself and not to its Worker for scans.", deploy(subject));
  }
  if (!installation.edge && isAtEdge) {
    const what = "It points to a Worker for scans, which deployments don't bring up to date.";
    return warning(name, what, `npm run domains -- to-main --prefix ${installation.prefix}`);
  }
  return ok(name, isAtEdge ? "It points to the Worker for scans." : "It points to the Worker.");
}
