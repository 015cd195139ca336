import { isMainThread } from "node:worker_threads";

/**
 * Loaded into wrangler's processes before their own code. Their standard input is a pipe held open by the process that
 * started wrangler, so it closes when that process ends, for whatever reason. Then wrangler's process group, including
 * the runtime it started, is killed.
 */
if (isMainThread) {
  process.stdin.once("close", () => {
    // Windows has no process groups; there, wrangler ends its children when it exits.
    if (process.platform === "win32") process.exit(1);
    process.kill(0, "SIGKILL");
  });
  process.stdin.resume().unref();
}
