import { isMainThread } from "node:worker_threads";

/**
 * Loaded into wrangler's processes before their own code. Their standard input is a pipe that the process which started
 * wrangler holds open, so it ends with that process, however that ends. Then wrangler's process group, with the runtime
 * that it started, is killed.
 */
if (isMainThread) {
  process.stdin.once("close", () => {
    // Windows has no process groups; there, wrangler ends its children when it exits.
    if (process.platform === "win32") process.exit(1);
    process.kill(0, "SIGKILL");
  });
  process.stdin.resume().unref();
}
