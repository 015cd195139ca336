import { readPublicUrl } from "../../src/lib/web/public-url.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { Failure } from "../lib/failure.ts";
import { type Ask, askUntilValid } from "../lib/terminal.ts";

/** The secret that says where alerts are sent. It isn't required. */
export const alertSecret = "ALERT_URL";

interface Sources {
  /** The address that was given, if one was. */
  readonly given: string | undefined;
  /** The names of the secrets that the service has. */
  readonly stored: ReadonlySet<string>;
  readonly ownHosts: readonly string[];
  /** Asks a person; undefined if nobody is to be asked. */
  readonly ask: Ask | undefined;
  readonly say: (line: string) => void;
}

/**
 * Decides where alerts are sent: as given, else by asking for it where it isn't known yet.
 * @returns undefined to leave it as it is
 * @throws Failure for an address that the service couldn't use
 */
export async function decideAlertUrl(sources: Sources): Promise<string | undefined> {
  const { given, stored, ownHosts, ask, say } = sources;
  const read = (name: string, text: string): string => {
    const receiver = readPublicUrl(text, { maxLength: webhookRules.maxUrlLength, ownHosts, loopback: false });
    if (!receiver.ok) throw new Failure(`${name} ${receiver.problem}`);
    return receiver.url;
  };
  if (given !== undefined) return read(`--alert-url (or ${alertSecret})`, given);
  if (ask === undefined || stored.has(alertSecret)) return undefined;
  const question = "Where to send alerts, such as an incoming webhook of Slack (https://…; Enter for none): ";
  return askUntilValid(ask, say, question, (answer) => (answer === "" ? undefined : read("It", answer)));
}
