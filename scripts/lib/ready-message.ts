import { demoName } from "./demo.ts";

/**
 * Returns the text printed once the service responds. Its curl commands can be pasted, in any order.
 * @param keyFile where the key is stored
 */
export function readyMessage(origin: string, key: string, keyFile: string): string {
  const api = `${origin}/api/v1`;
  const auth = `-H 'authorization: Bearer ${key}'`;
  const json = "-H 'content-type: application/json'";
  const code = '{"name":"Menu","qrType":"url","data":{"type":"url","url":"example.com/menu"}}';
  return `
Ready: ${api}
Docs:  ${api}/docs

API key: ${key} (kept in ${keyFile})

Dashboard: ${origin}/dashboard (sign in as ${demoName}; any other name creates a new workspace)

Create a QR code, list your codes, create a folder for them:

curl ${api}/qr ${auth} ${json} -d '${code}'
curl ${api}/qr ${auth}
curl ${api}/folders ${auth} ${json} -d '{"name":"Menus"}'

Ctrl-C ends it. All options: npm run dev -- --help
`;
}
