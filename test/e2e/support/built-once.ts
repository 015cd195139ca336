import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { inject, vi } from "vitest";

/** How long a build may take, milliseconds. */
const patience = 240_000;

/**
 * Builds something that several test files use, once a run: other processes wait for the one that has begun.
 * @param build fills the folder that it is given
 * @returns the folder where the result is, which no test may change
 */
export async function builtOnce(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  const built = join(inject("buildFolder"), name);
  const isFirst = await mkdir(`${built}-begun`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const building = await mkdtemp(`${built}-`);
    await build(building);
    await rename(building, built);
  } else {
    await vi.waitUntil(() => existsSync(built), { timeout: patience });
  }
  return built;
}
