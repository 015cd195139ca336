import { companyName } from "../company/company.ts";
import { exampleName } from "../company/example-member.ts";
import { largeCompany, largeName } from "../company/large/contents.ts";
import { demoName } from "./demo.ts";

/** Returns the text printed once the service responds. It fits a terminal of 24 lines, and its command can be pasted. */
export function readyMessage(
  { origin, issuer, key, keyFile }: { origin: string; issuer: string; key: string; keyFile: string },
  { hasExample, hasLarge }: { hasExample: boolean; hasLarge: boolean },
): string {
  const api = `${origin}/api/v1`;
  const code = '{"qrType":"url","data":{"type":"url","url":"example.com/menu"}}';
  const example = hasExample
    ? `             ${exampleName}  ${companyName}: reports, a map, webhook deliveries, a hosted page\n`
    : "";
  const large = hasLarge
    ? `             ${largeName}  ${largeCompany.name}: 50,000 codes, a million scans\n`
    : "";
  const offer = hasExample
    ? ""
    : "Example:     npm run dev -- --example adds a company with two months of scans\n";
  return `
Dashboard:   ${origin}/dashboard
Sign in:     continue with ${new URL(issuer).host}, without a password, as
             ${demoName}  an empty workspace that walks you through the first steps
${example}${large}             or any other name, for a new workspace
${offer}
API:         ${api}
Reference:   ${api}/docs
API key:     ${key} (kept in ${keyFile})

Create a code by the API:

curl ${api}/qr -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${code}'

Ctrl-C stops it. Options: npm run dev -- --help
`;
}
