import type { KeyType } from "../../../contract/resources/enums.ts";
import type { NewApiKey } from "../../../contract/resources/identity/keys.ts";
import type { Sample } from "../sample.ts";

interface Call {
  /** The API's origin. */
  readonly origin: string;
  /** The key, or a placeholder. */
  readonly key: string;
  readonly type: KeyType;
  /** The web origin on which a publishable key is used. */
  readonly webOrigin: string | undefined;
}

/** The use of a key that its samples show: it creates a code, proposes one that a person confirms, or only reads. */
export type KeyUse = "create" | "propose" | "read";

/** Returns the use that works with a key. @param created undefined for a placeholder, which stands for a key that creates codes */
export function useOf(created: Pick<NewApiKey, "type" | "scopes" | "personConfirms"> | undefined): KeyUse {
  if (created === undefined || created.type === "publishable") return "create";
  if (!created.scopes.includes("qr:write")) return "read";
  return created.personConfirms ? "propose" : "create";
}

/** A placeholder for an unknown key. */
export const placeholder = { secret: "sk_live_YOUR_KEY", publishable: "pk_live_YOUR_KEY" } as const;

/** Zones can refuse the agents that libraries name by default, such as Python's. A browser names its own. */
const agent = "my-app/1.0";

const body = `{"name": "My first code", "qrType": "url", "data": {"type": "url", "url": "https://example.com/"}}`;

/** Returns programs for what works with a key. */
export function samplesOf(use: KeyUse, call: Call): readonly Sample[] {
  if (use === "create") return createSamples(call);
  return [{ language: "curl", text: use === "propose" ? proposal(call) : reading(call) }];
}

/** Returns a program that proposes a code, as an agent does. Its answer has the address where a person confirms it. */
const proposal = ({ origin, key }: Call): string =>
  `curl ${origin}/mcp \\
  -H "Authorization: Bearer ${key}" \\
  -H "User-Agent: ${agent}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_codes", "arguments": {"codes": [${body}]}}}'`;

/** Returns a program that any secret key can run. */
const reading = ({ origin, key }: Call): string =>
  `curl ${origin}/api/v1/me \\
  -H "Authorization: Bearer ${key}" \\
  -H "User-Agent: ${agent}"`;

/** Returns programs that create a code. A publishable key only works in web pages. */
function createSamples(call: Call): readonly Sample[] {
  const samples = [
    { language: "curl", text: curl(call) },
    { language: "JavaScript", text: javascript(call) },
  ];
  if (call.type === "publishable") return samples.toReversed();
  return [...samples, { language: "Python", text: python(call) }, { language: "PHP", text: php(call) }];
}

const curl = ({ origin, key, type, webOrigin }: Call): string =>
  `curl ${origin}/api/v1/qr \\
  -H "Authorization: Bearer ${key}" \\
  -H "${type === "publishable" ? `Origin: ${webOrigin}` : `User-Agent: ${agent}`}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;

const javascript = ({ origin, key, type }: Call): string =>
  `const answer = await fetch("${origin}/api/v1/qr", {
  method: "POST",
  headers: {
    "authorization": "Bearer ${key}",
    "content-type": "application/json",${type === "publishable" ? "" : `\n    "user-agent": "${agent}",`}
  },
  body: JSON.stringify({
    name: "My first code",
    qrType: "url",
    data: { type: "url", url: "https://example.com/" },
  }),
});
const code = await answer.json();
if (!answer.ok) throw new Error(code.error);
console.log(code.scanUrl);`;

const python = ({ origin, key }: Call): string =>
  `import json
import urllib.request

request = urllib.request.Request(
    "${origin}/api/v1/qr",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
        "User-Agent": "${agent}",
    },
    data=json.dumps({
        "name": "My first code",
        "qrType": "url",
        "data": {"type": "url", "url": "https://example.com/"},
    }).encode(),
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["scanUrl"])`;

const php = ({ origin, key }: Call): string =>
  `<?php
$request = curl_init("${origin}/api/v1/qr");
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        "Authorization: Bearer ${key}",
        "Content-Type: application/json",
        "User-Agent: ${agent}",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        "name" => "My first code",
        "qrType" => "url",
        "data" => ["type" => "url", "url" => "https://example.com/"],
    ]),
]);
$code = json_decode(curl_exec($request));
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 201) {
    throw new Exception($code->error);
}
echo $code->scanUrl, "\n";`;
