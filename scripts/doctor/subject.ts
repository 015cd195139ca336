import type { Api } from "../lib/account/api.ts";
import { type Account, pathOfAccount, type WorkersPlan } from "../lib/account/reads.ts";
import type { Configs, Installation } from "../lib/installation/installation.ts";

/** An installation in its account. */
export interface Subject {
  readonly api: Api;
  readonly account: Account;
  /** The Workers plan; undefined if the token can't read it. */
  readonly plan: WorkersPlan | undefined;
  readonly installation: Installation;
  /** The configurations that it is deployed with. */
  readonly configs: Configs;
  readonly now: () => number;
}

/** Returns the account's path in Cloudflare's API. */
export const pathOf = ({ account }: Subject): string => pathOfAccount(account);

/** Returns the address of a page of the account's dashboard. */
export const pageOf = ({ account }: Subject, path: string): string =>
  `https://dash.cloudflare.com/${account.id}/${path}`;

export const deploy = ({ installation }: Pick<Subject, "installation">): string =>
  `npm run deploy -- ${installation.prefix}`;

export const setup = ({ installation }: Pick<Subject, "installation">): string =>
  `npm run setup -- --prefix ${installation.prefix}`;

export const addDomain = ({ installation }: Pick<Subject, "installation">, host: string): string =>
  `npm run domains -- add ${host} --prefix ${installation.prefix}`;
