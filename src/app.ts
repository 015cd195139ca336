import type { Context } from "hono";
import { Hono } from "hono/tiny";
import type { Deps } from "./domain/deps.ts";
import { readHash } from "./lib/text/hash.ts";
import { createRedirect } from "./redirect/handler.ts";
import { codeNotFound, notAllowed, tooManyMisses } from "./redirect/pages.ts";

export interface App {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response>;
}

/**
 * Everything that answers HTTP. A path of one segment is a scan and goes straight to the redirect: routing it
 * would cost as much as answering it. The API, the dashboard and the hosted pages are loaded by their first request,
 * so that a scan never waits for them.
 */
export function createApp(deps: Deps): App {
  const redirect = createRedirect(deps);
  const app = new Hono<{ Bindings: Env }>();

  /** A part that is loaded by its first request. */
  const mount = (path: string, load: () => Promise<(deps: Deps) => App>) => {
    let part: App | undefined;
    app.all(path, async (c) => {
      if (part === undefined) {
        const create = await load();
        part ??= create(deps);
      }
      return part.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext);
    });
  };
  mount("/api/v1/*", async () => (await import("./api/app.ts")).createApi);
  mount("/dashboard/*", async () => (await import("./dashboard/app.tsx")).createDashboard);
  mount("/pages/*", async () => (await import("./hosted-pages/app.ts")).createHostedPages);
  const embed = async (c: Context) => {
    const { createEmbed } = await import("./embed/app.ts");
    return createEmbed(deps).fetch(c.req.raw, c.env);
  };
  app.get("/embed.js", embed);
  app.get("/embed/demo", embed);
  app.notFound(() => codeNotFound());

  async function answerImage(request: Request, { hash, format }: ImageAddress): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed();
    const { publicImage } = await import("./redirect/public-images.ts");
    const answer = await publicImage(deps, request, hash, format);
    if (answer === "unknown") return codeNotFound();
    return answer === "throttled" ? tooManyMisses() : answer;
  }

  return {
    fetch(request, env, ctx) {
      const segment = onlySegment(request.url);
      const image = segment === null ? null : imageAt(segment);
      if (image !== null) return answerImage(request, image);
      return segment === null || ownNames.has(segment)
        ? app.fetch(request, env, ctx)
        : redirect(request, segment, ctx);
    },
  };
}

/** Names of ours that no hash can be: those have eight characters, and no dot. */
const ownNames: ReadonlySet<string> = new Set(["dashboard", "embed.js"]);

/** The path's only segment, without the query; null when the path has none or more. */
function onlySegment(url: string): string | null {
  return /^https?:\/\/[^/?#]*\/([^/?#]+)(?:[?#]|$)/.exec(url)?.[1] ?? null;
}

interface ImageAddress {
  readonly hash: string;
  readonly format: "svg" | "png";
}

/** The image that `{hash}.svg` or `{hash}.png` means; null for any other segment. */
function imageAt(segment: string): ImageAddress | null {
  const dot = segment.length - 4;
  if (segment[dot] !== ".") return null;
  const hash = readHash(segment.slice(0, dot));
  const format = segment.slice(dot + 1).toLowerCase();
  return hash !== null && (format === "svg" || format === "png") ? { hash, format } : null;
}
