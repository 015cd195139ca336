import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";

/** Twice the space that a run of all tests takes, bytes. */
const needed = 8 * 1024 ** 3;

/**
 * Keeps this run's databases in memory if there is space, because the local D1 syncs the disk with every statement;
 * also Node's compile cache, because wrangler is started dozens of times. Processes started by the tests inherit the
 * settings.
 */
export function storeInMemory(): void {
  const free = freeBytes();
  if (free < needed) {
    const [has, needs] = [free, needed].map((bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GB`);
    console.log(
      `The databases are on disk, which is slower: ${memory} has ${has} free, and ${needs} are needed.`,
    );
    return;
  }
  const folder = mkdtempSync(join(memory, "qr-tests-"));
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE ??= join(folder, "compiled");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize;
  } catch {
    // Systems other than Linux don't have this folder.
    return 0;
  }
}
