import type { KeyType } from "../../../contract/resources/enums.ts";
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

/** A placeholder for an unknown key. */
export const placeholder = { secret: "sk_live_YOUR_KEY", publishable: "pk_live_YOUR_KEY" } as const;

/** Zones can refuse the agents that libraries name by default, such as Python's. A browser names its own. */
const agent = "my-app/1.0";

const body = `{"name": "My first code", "qrType": "url", "data": {"type": "url", "url": "https://example.com/"}}`;

/** Returns programs that create a code. A publishable key only works in web pages. */
export function createSamples(call: Call): readonly Sample[] {
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
