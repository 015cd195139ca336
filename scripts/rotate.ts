import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseCommandLine } from "./lib/command-line.ts";
import { exitCodeOf, Failure } from "./lib/failure.ts";
import { installationsFolder } from "./lib/installation/installation.ts";
import { rotate } from "./lib/installation/rotation.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { root, runWrangler } from "./lib/wrangler.ts";

const usage = `Usage: npm run rotate -- NAME [options]

Puts a new secret beside the present one, which is still accepted, and says when that can be removed.
NAME is SESSION_SECRET, WEBHOOK_SECRET, VISITOR_SECRET, OPERATOR_SECRET or OIDC_CLIENT_SECRET.

  --finish         remove the previous secret
  --now            with --finish: before its time
  --prefix NAME    which installation, if there are several
  --help           show this`;

/** @throws Failure, with the usage, for an invalid command line */
function parse(args: string[]) {
  return parseCommandLine(
    {
      args,
      allowPositionals: true,
      options: {
        finish: { type: "boolean", default: false },
        now: { type: "boolean", default: false },
        prefix: { type: "string" },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  );
}

async function main(signal: AbortSignal): Promise<number> {
  try {
    const { values, positionals } = parse(process.argv.slice(2));
    const [name, ...rest] = positionals;
    if (values.help) {
      console.log(usage);
      return 0;
    }
    if (name === undefined || rest.length > 0) throw new Failure(usage);
    await rotate(
      { name, prefix: values.prefix, finish: values.finish, now: values.now },
      {
        env: process.env,
        folder: installationsFolder,
        scratch: join(root, ".wrangler/installations"),
        wrangler: (args) => runWrangler(args, signal),
        say: (line) => console.log(line),
        fetch,
        pause: () => delay(2000, undefined, { signal }),
        signal,
        time: Date.now,
      },
    );
    return 0;
  } catch (error) {
    return exitCodeOf(error, signal);
  }
}

process.exit(await main(shutdownSignal()));
