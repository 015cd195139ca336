import { execFileSync } from "node:child_process";

/**
 * Returns a signal that aborts when this process should end: on Ctrl-C, on a signal, or when the npm that runs it has
 * ended.
 */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  // `on` instead of `once`, because a second Ctrl-C must not end this process before its children.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => controller.abort());

  // A signal sent only to npm doesn't reach this process. It ends npm's shell, so this process gets another parent. A
  // SIGKILL ends only npm.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    const npm = parentOfShell(parent);
    const checkParents = () => {
      if (process.ppid !== parent || (npm !== undefined && !isRunning(npm))) controller.abort();
    };
    setInterval(checkParents, 500).unref();
  }
  return controller.signal;
}

/** Returns a process's parent, if that is a shell; undefined if it isn't, or if this can't be determined. */
function parentOfShell(pid: number): number | undefined {
  try {
    const line = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, parent] = /^\s*(\d+)\s+\S*sh\s*$/.exec(line) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
