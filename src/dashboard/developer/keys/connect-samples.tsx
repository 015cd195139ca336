import type { NewApiKey } from "../../../contract/resources/identity/keys.ts";
import { clientPackage } from "../../../lib/client-package.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import type { Sample } from "../sample.ts";
import { Samples } from "../samples.tsx";
import { type KeyUse, placeholder, useOf } from "./code-samples.ts";

interface Props {
  readonly request: DashboardRequest;
  /** The newly created secret key; undefined for a placeholder. */
  readonly created: NewApiKey | undefined;
}

/** How to set up the client, the command line and an AI agent for this service. */
export const ConnectSamples = ({ request, created }: Props) => (
  <section class="card" aria-labelledby="connect">
    <h2 id="connect">Connect a program</h2>
    <p>
      With the client for TypeScript, with the command line <code>qr</code>, or as an AI agent. An agent sees
      what each change would do before it makes it, and can undo it; for a key whose changes a person
      confirms, a member of your workspace presses the button.
    </p>
    <Samples
      id="connect-a-program"
      label="Connect a program"
      samples={connectSamples(
        request.deps.settings.appOrigin,
        created?.key ?? placeholder.secret,
        useOf(created),
      )}
    />
  </section>
);

/** Returns the set-up of each kind of program, with calls that work with the key. @param origin of the app */
function connectSamples(origin: string, key: string, use: KeyUse): readonly Sample[] {
  const typescript = {
    language: "TypeScript",
    text: `// npm install ${clientPackage}
import { QrCodes } from "${clientPackage}";

const client = new QrCodes({ baseUrl: "${origin}", key: "${key}" });

${use === "create" ? creation : "console.log(await client.me());"}`,
  };
  const creating = `qr codes create https://example.com/ --name "My first code"\n`;
  const commandLine = {
    language: "Command line",
    text: `npm install --global ${clientPackage}
export QR_URL=${origin} QR_KEY=${key}

${use === "create" ? creating : ""}qr codes list`,
  };
  const agent = {
    language: "AI agent",
    text: `{
  "mcpServers": {
    "qr-codes": {
      "type": "http",
      "url": "${origin}/mcp",
      "headers": { "Authorization": "Bearer ${key}" }
    }
  }
}`,
  };
  if (use === "propose") return [agent, typescript, commandLine];
  // The command line works with codes.
  return use === "create" ? [typescript, commandLine, agent] : [typescript, agent];
}

const creation = `const code = await client.qr.create({
  name: "My first code",
  qrType: "url",
  data: { type: "url", url: "https://example.com/" },
});
console.log(code.scanUrl);`;
