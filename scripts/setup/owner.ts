import * as z from "zod";
import type { Api } from "../lib/account/api.ts";
import { type Deployed, request } from "./proof.ts";

const Link = z.object({ url: z.string(), expiresAt: z.string() });

/**
 * Returns how the installation's owner gets in: by a one-time link while nobody has a workspace, then by signing in.
 * @param database the path of the catalogue's database in the account's API
 * @param issuer the OpenID Connect provider, if there is one
 */
export async function ownersWay(api: Api, database: string, deployed: Deployed, issuer: string) {
  const dashboard = `${deployed.appOrigin}/dashboard`;
  const [people] = await api.post<{ results: unknown[] }[]>(`${database}/query`, {
    sql: "SELECT 1 FROM members LIMIT 1",
  });
  if ((people?.results ?? []).length > 0) return [`Sign in: ${dashboard}`];
  const response = await request(deployed, `${deployed.appOrigin}/api/v1/operator/sign-in-links`, {
    method: "POST",
    headers: { authorization: `Bearer ${deployed.operatorSecret}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "owner" }),
  });
  const link = Link.safeParse(await response.json().catch(() => undefined));
  if (response.ok && link.success) {
    return [
      `Open this link to make your passkey and name your workspace. It works once, until ${link.data.expiresAt}:`,
      link.data.url,
    ];
  }
  if (issuer !== "") {
    return [`Sign in: ${dashboard}`, `Your provider needs the redirect address ${dashboard}/callback`];
  }
  return [
    "Nobody can sign in yet: the service needs an OpenID Connect provider. Register the redirect address",
    `${dashboard}/callback there, then run`,
    "OIDC_CLIENT_SECRET=… npm run setup -- --oidc-issuer URL --oidc-client-id ID",
  ];
}
