import { Failure } from "../failure.ts";
import type { Ask } from "../terminal.ts";
import { Api, apiBase } from "./api.ts";

/** The means to sign in to Cloudflare. */
export interface Means {
  readonly env: NodeJS.Dict<string>;
  /** Asks the person who runs it; undefined if nobody is there. */
  readonly ask: Ask | undefined;
  /** Runs wrangler. @returns its output @throws Failure with its output */
  readonly wrangler: (args: string[]) => Promise<string>;
  /** Signs in to Cloudflare in a browser. @returns whether that worked */
  readonly signIn: () => boolean;
  readonly say: (line: string) => void;
}

/** Returns the token for Cloudflare's API, after signing in if somebody is there to do it. @throws Failure without one */
export async function readToken({ env, wrangler, ask, signIn, say }: Means): Promise<string> {
  if (env.CLOUDFLARE_API_TOKEN !== undefined) return env.CLOUDFLARE_API_TOKEN;
  const stored = () =>
    wrangler(["auth", "token", "--json"]).then(
      (output) => (JSON.parse(output) as { token?: string }).token,
      () => undefined,
    );
  const token = await stored();
  if (token !== undefined) return token;
  const hint =
    "Sign in to Cloudflare: npx wrangler login\nOr create a token and set CLOUDFLARE_API_TOKEN: https://dash.cloudflare.com/profile/api-tokens";
  if (ask === undefined) throw new Failure(hint);
  say("Signing in to Cloudflare in your browser…");
  const fresh = signIn() ? await stored() : undefined;
  if (fresh === undefined) throw new Failure(hint);
  return fresh;
}

/** Returns a client of Cloudflare's API as whom wrangler is signed in; undefined if nobody is. */
export async function openApi(
  means: Pick<Means, "env" | "wrangler" | "say"> & { readonly signal: AbortSignal },
): Promise<Api | undefined> {
  try {
    const token = await readToken({ ...means, ask: undefined, signIn: () => false });
    return new Api(apiBase(means.env), token, means.signal);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
