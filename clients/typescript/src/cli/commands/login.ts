import { ask, canAsk } from "../ask.ts";
import { command } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { connected, settingsFile, storeSettings } from "../settings.ts";

export const login = command({
  usage: "login",
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
