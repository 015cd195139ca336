import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Runs npm scripts concurrently, and prints the output of those that fail. Usage: node scripts/check.ts <npm script>...
 */
async function run(name: string): Promise<boolean> {
  const child = spawn("npm", ["run", "--silent", name], {
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
    // Without wrangler's banner.
    env: { ...process.env, WRANGLER_LOG: "warn" },
  });
  const [[code], ...output] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) console.error(`npm run ${name} failed:\n\n${output.join("")}`);
  return code === 0;
}

const names = process.argv.slice(2);
const passed = await Promise.all(names.map(run));
if (passed.includes(false)) process.exit(1);
console.log(`${names.join(", ")}: passed`);
