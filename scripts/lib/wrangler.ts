import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Failure } from "./failure.ts";
import type { StartOutput } from "./start-output.ts";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The configuration of the Worker for scans, relative to the project's folder. */
export const edgeConfig = "src/edge/wrangler.toml";

/** That of the images Worker. */
export const imagesConfig = "src/images/wrangler.toml";

const cli = join(root, "node_modules/wrangler/bin/wrangler.js");

/** Wrangler passes Node's options on to the process that does its work. */
const endWithParent = ["--import", new URL("./end-with-parent.ts", import.meta.url).href];

/** How long wrangler may take to end before it is killed. */
const graceMilliseconds = 5_000;

// In its own process group, wrangler receives Ctrl-C only once, from this process, and its children can be killed along
// with it. Windows has no process groups, and would open a window for a detached child.
const useGroup = process.platform !== "win32";

/**
 * Runs wrangler to its end, without prompts.
 * @returns its standard output
 * @throws Failure with wrangler's output, if it fails
 */
export async function runWrangler(args: string[], signal: AbortSignal): Promise<string> {
  // By default, wrangler asks a server for this machine's location, which nothing here uses. It prints its JSON as a log,
  // which a higher level in the environment would suppress.
  const env = { CI: "1", CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_LOG: "log" };
  const child = launch(args, env, signal);
  const [code, ...output] = await Promise.all([
    exitCode(child),
    ...streamsOf(child).map((stream) => text(stream)),
  ]);
  if (code !== 0) throw new Failure(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${output.join("")}`);
  return output[0] ?? "";
}

/**
 * Starts wrangler.
 * @param placeFile JSON with the place that all requests appear to come from, as in `request.cf`
 * @param output reads its output
 * @param signal ends it
 * @returns its exit code once it has ended
 */
export async function startWrangler(
  args: string[],
  placeFile: string,
  output: StartOutput,
  signal: AbortSignal,
): Promise<number> {
  const child = launch(
    args,
    {
      CLOUDFLARE_CF_FETCH_ENABLED: "true",
      CLOUDFLARE_CF_FETCH_PATH: placeFile,
      ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
    },
    signal,
  );
  const [code] = await Promise.all([
    exitCode(child),
    ...streamsOf(child).map((stream) => output.read(stream)),
  ]);
  return code;
}

/** Runs wrangler in the foreground, with prompts. Returns its exit code. */
export function runWranglerInteractively(args: string[]): number {
  return spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: "inherit" }).status ?? 1;
}

function launch(args: string[], env: Record<string, string>, signal: AbortSignal): ChildProcess {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...endWithParent, cli, ...args], {
    cwd: root,
    detached: useGroup,
    stdio: "pipe",
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", ...env },
  });
  let deadline: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill("SIGTERM");
    deadline = setTimeout(killAll, graceMilliseconds, child);
  };
  signal.addEventListener("abort", end);
  child.once("exit", () => {
    signal.removeEventListener("abort", end);
    clearTimeout(deadline);
    killAll(child);
  });
  return child;
}

async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

const streamsOf = (child: ChildProcess) => [child.stdout, child.stderr].filter((stream) => stream !== null);

function killAll(child: ChildProcess): void {
  if (!useGroup || child.pid === undefined) {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has no processes left.
  }
}
