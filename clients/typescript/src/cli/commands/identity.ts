import { ask, canAsk } from "../ask.ts";
import { command } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { connected, forgetSettings, readSettings, settingsFile, storeSettings } from "../settings.ts";

export const login = command({
  usage: "login",
  about: "Store the address of the service, and an API key",
  help: `
Asks for the address of the service and an API key, checks them, and stores them
in a file that only you can read. With QR_URL and QR_KEY in the environment, it
stores these and asks for nothing. Other commands take them from the environment
first.

Options:
  --json   Print the key's scopes and its workspace as JSON
`,
  options: {},
  async run({ output, signal }) {
    const answer = async (given: string | undefined, name: string, question: string, isSecret = false) => {
      if (given) return given;
      if (!canAsk()) throw new UsageError(`Without a terminal, set ${name} in the environment.`);
      return ask(question, signal, isSecret);
    };
    const { QR_URL, QR_KEY } = process.env;
    const url = await answer(QR_URL, "QR_URL", "Address of the service, such as https://qr.example.com: ");
    const key = await answer(QR_KEY, "QR_KEY", "API key (not shown): ", true);
    const me = await connected({ url, key }).me({ signal });
    await storeSettings({ url, key });
    output.result(me, () =>
      output.line(`${me.key.name}, a key of ${me.workspace.name}: ${me.key.scopes.join(", ")}`),
    );
    output.note(`Stored in ${settingsFile()}`);
    return exitCodes.ok;
  },
});

export const logout = command({
  usage: "logout",
  about: "Forget them",
  help: `
Removes the address and the key that qr login stored. The key goes on working:
revoke it in the dashboard, under Developer, if nobody else needs it.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ output }) {
    const removed = await forgetSettings();
    output.result({ removed }, () =>
      output.line(removed ? `Removed ${settingsFile()}` : "Nothing was stored."),
    );
    const set = ["QR_URL", "QR_KEY"].filter((name) => process.env[name]);
    if (set.length > 0) output.note(`${set.join(" and ")} in the environment still count.`);
    return exitCodes.ok;
  },
});

export const whoami = command({
  usage: "whoami",
  about: "Print which key and workspace they are",
  help: `
Prints the key that commands use, its scopes, and its workspace with the plan
and its limits.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ output, signal, connect }) {
    const { url } = await readSettings();
    const me = await (await connect()).me({ signal });
    const { key, workspace } = me;
    output.result(me, () =>
      output.fields({
        ...{ service: url, key: `${key.name} (${key.type})`, scopes: key.scopes.join(", ") },
        ...{ workspace: workspace.name, plan: workspace.plan },
        requests: `${workspace.limits.requestsPerMinute} a minute`,
        rows: `${workspace.limits.bulkRows} in a bulk job`,
        suspended: workspace.suspended ? "yes" : null,
      }),
    );
    return exitCodes.ok;
  },
});
