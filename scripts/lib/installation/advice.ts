interface Problem {
  /** The numbers of Cloudflare's errors. */
  readonly codes: readonly number[];
  /** Cloudflare's words. */
  readonly message?: string | undefined;
  /** The permission that a request to a path needs, if it was refused. */
  readonly refusedPath?: string | undefined;
  readonly accountId: string;
}

interface Advice {
  readonly codes: readonly number[];
  /** The problem, and the one command or page that fixes it. */
  readonly text: (dashboard: string) => string;
}

const noR2: Advice = {
  codes: [10042, 10136],
  text: (dashboard) =>
    `R2 isn't enabled in this account.
Enable it: ${dashboard}/r2/overview
Or continue without it, and add it later: npm run setup -- --without-r2`,
};

/** Returns whether an error says that the account has no R2. */
export const saysNoR2 = (codes: readonly number[]): boolean =>
  noR2.codes.some((code) => codes.includes(code));

/** Errors that a person has to fix, by Cloudflare's numbers. The first that fits is shown. */
export const advices: readonly Advice[] = [
  noR2,
  {
    codes: [11002],
    text: (dashboard) => `Queues aren't enabled in this account.\nEnable them: ${dashboard}/workers/queues`,
  },
  {
    codes: [100129, 10015],
    text: (dashboard) =>
      `The account's plan doesn't include this.\nChoose Workers Paid: ${dashboard}/workers/plans`,
  },
  {
    codes: [11004],
    text: (dashboard) =>
      `A queue has a consumer already, so another Worker takes its messages.
Remove that consumer, or choose other names with --prefix: ${dashboard}/workers/queues`,
  },
  {
    codes: [100328],
    text: (dashboard) =>
      `The configuration sets CPU limits, which the Free plan doesn't take.
Choose Workers Paid, or remove [limits] from wrangler.toml: ${dashboard}/workers/plans`,
  },
  {
    codes: [10181],
    text: () =>
      "The database id in installations/ isn't one of this account.\nFind or create it again: npm run setup",
  },
  {
    codes: [100117],
    text: (dashboard) =>
      `A DNS record of the domain's name exists already.\nDelete it, or choose another name: ${dashboard}`,
  },
  {
    codes: [100116],
    text: (dashboard) =>
      `A host belongs to another Worker.\nRemove it there, or choose another host: ${dashboard}/workers`,
  },
  {
    codes: [7500],
    text: (dashboard) =>
      `D1 refused a statement. A migration is applied whole or not at all, so that you can run the same command again.
If it is refused again, see what the database has, ${dashboard}/workers/d1, and what is wrong: npm run doctor`,
  },
  {
    codes: [10014, 10004, 11009, 7502],
    text: () => "The name is taken.\nChoose other names: npm run setup -- --prefix NAME",
  },
  {
    codes: [10063],
    text: (dashboard) =>
      `The account has no workers.dev name yet.\nOpen this page once to choose it: ${dashboard}/workers/onboarding`,
  },
  {
    codes: [1000, 6003, 6111, 9106, 9109],
    text: () =>
      `Cloudflare doesn't accept the token.
Create one: https://dash.cloudflare.com/profile/api-tokens or unset CLOUDFLARE_API_TOKEN to sign in with wrangler`,
  },
];

/** The permission of a token that each part of the API needs. */
export const permissions: readonly (readonly [RegExp, string])[] = [
  [/\/d1\//, "Account: D1: Edit"],
  [/\/storage\/kv\//, "Account: Workers KV Storage: Edit"],
  [/\/r2\//, "Account: Workers R2 Storage: Edit"],
  [/\/queues/, "Account: Queues: Edit"],
  [/\/accounts\/[^/]+\/workers\//, "Account: Workers Scripts: Edit"],
  [/\/zones\/[^/]+\/workers\//, "Zone: Workers Routes: Edit"],
  [/\/zones/, "Zone: Zone: Read"],
  [/\/graphql/, "Account: Account Analytics: Read"],
  [/\/subscriptions/, "Account: Billing: Read"],
  [/\/accounts/, "Account: Account Settings: Read"],
];

/** Returns how to fix a problem; undefined if that isn't known. */
export function advise({ codes, message, refusedPath, accountId }: Problem): string | undefined {
  const dashboard = `https://dash.cloudflare.com/${accountId}`;
  const [, permission] = permissions.find(([path]) => path.test(refusedPath ?? "")) ?? [];
  if (permission !== undefined && lacksPermission({ codes, message })) return lacking(permission);
  const advice = advices.find((each) => each.codes.some((code) => codes.includes(code)));
  if (advice !== undefined) return advice.text(dashboard);
  return permission && lacking(permission);
}

const unauthorized = 9109;

/** Cloudflare has one number for wrong tokens and for those that lack a permission. Only the words differ. */
export const lacksPermission = ({ codes, message = "" }: Pick<Problem, "codes" | "message">): boolean =>
  codes.includes(unauthorized) && !/invalid/i.test(message);

const lacking = (permission: string): string => `The token lacks the permission "${permission}".
Add it: https://dash.cloudflare.com/profile/api-tokens`;

/** Returns how to fix a failure of wrangler, by the numbers in its output; undefined if that isn't known. */
export function adviseForOutput(output: string, accountId: string): string | undefined {
  const codes = [...output.matchAll(/\[code: (\d+)\]/g)].map(([, code]) => Number(code));
  const refused = codes.includes(10_000) ? /\/(?:accounts|zones)\/[^\s)]+/.exec(output)?.[0] : undefined;
  return advise({ codes, refusedPath: refused, accountId });
}
