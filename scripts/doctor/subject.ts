import type { Configs, Installation } from "../lib/installation/installation.ts";
import type { Api } from "../setup/api.ts";
import type { Account } from "../setup/probe.ts";

/** An installation in its account. */
export interface Subject {
  readonly api: Api;
  readonly account: Account;
  /** The Workers plan; undefined if the token can't read it. */
  readonly plan: "free" | "paid" | undefined;
  readonly installation: Installation;
  /** The configurations that it is deployed with. */
  readonly configs: Configs;
  readonly now: () => number;
}

/** Returns the account's path in Cloudflare's API. */
export const pathOf = ({ account }: Subject): string => `/accounts/${account.id}`;

/** Returns the address of a page of the account's dashboard. */
export const pageOf = ({ account }: Subject, path: string): string =>
  `https://dash.cloudflare.com/${account.id}/${path}`;

export const deploy = ({ installation }: Pick<Subject, "installation">): string =>
  `npm run deploy -- ${installation.prefix}`;

export const setup = ({ installation }: Pick<Subject, "installation">): string =>
  `npm run setup -- --prefix ${installation.prefix}`;
