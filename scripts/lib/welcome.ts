import { demoName } from "./demo.ts";

/** What is printed once the service answers. The curl lines work as they are, in any order. */
export function welcome(origin: string, key: string): string {
  const api = `${origin}/api/v1`;
  const auth = `-H 'authorization: Bearer ${key}'`;
  const json = "-H 'content-type: application/json'";
  const code = '{"name":"Menu","qrType":"url","data":{"type":"url","url":"example.com/menu"}}';
  return `
Ready: ${api}
Docs:  ${api}/docs

API key: ${key}

Dashboard: ${origin}/dashboard (sign in as ${demoName}; any other name makes a workspace of its own)

Make a QR code, list your codes, make a folder for them:

curl ${api}/qr ${auth} ${json} -d '${code}'
curl ${api}/qr ${auth}
curl ${api}/folders ${auth} ${json} -d '{"name":"Menus"}'
`;
}
