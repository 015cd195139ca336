import { type Context, Hono } from "hono";
import { limits } from "../contract/limits.ts";
import type { Form } from "../contract/resources/pages.ts";
import type { PageRoute } from "../protocol/routes.ts";
import type { Deps } from "../domain/deps.ts";
import { fetchPageImage } from "../domain/pages/images.ts";
import { resolvePage } from "../domain/routing/resolve.ts";
import type { Problems, Sender } from "../domain/pages/submissions.ts";
import { requestContext } from "../domain/routing/request-context.ts";
import { isId, newId } from "../lib/text/ids.ts";
import { describeError, log } from "../lib/log.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { readAtMost } from "../lib/web/read-at-most.ts";
import { formToken } from "./form.tsx";
import { showEntered, showMissing, showPage, showThanks } from "./show.tsx";

type Env = { Bindings: Cloudflare.Env; Variables: { page: PageRoute } };

/** Hosted pages at their own address: the page, what is sent with its form, and its images. */
export function createHostedPages(deps: Deps): Hono<Env> {
  const app = new Hono<Env>().basePath("/pages");

  app.use("/:id/*", async (c, next) => {
    const id = c.req.param("id").toLowerCase();
    const page = isId(id)
      ? await resolvePage(deps, id, requestContext(c.req.raw, c.executionCtx))
      : "unknown";
    if (page === "throttled") return refuse(c, 429, "Too many pages that do not exist were tried from here.");
    if (page === "unknown" || page.status !== "active") return showMissing(c.req.raw);
    c.set("page", page);
    await next();
  });

  app.get("/:id", (c) => showPage(c.req.raw, c.get("page"), deps.now()));

  app.post("/:id", async (c) => {
    const { form } = c.get("page").content;
    if (form === null) return refuse(c, 405, "This page has no form.");
    const values = await readForm(c);
    return values instanceof Response ? values : answerForm(c, form, values);
  });

  app.get("/:id/sent", (c) => showThanks(c.req.raw, c.get("page")));

  app.get("/:id/images/:key", async (c) => {
    const image = await fetchPageImage(deps, c.get("page").content, c.req.param("key"));
    if (image === "unknown") return refuse(c, 404, "This page has no such image.");
    if (image === "unavailable") return refuse(c, 502, "The image can't be had from where it lies.");
    return c.body(image.body, 200, {
      "content-type": image.mediaType,
      "cache-control": "public, max-age=86400",
      // An SVG that is opened by itself runs and loads nothing.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
    });
  });

  app.notFound((c) => showMissing(c.req.raw));

  app.onError((error, c) => {
    log("error", "hosted page failed", { path: c.req.path, error: describeError(error) });
    return refuse(c, 500, "Something went wrong on our side. Please try again.");
  });

  /** Once a form is stored, a reload of what is shown sends nothing again. */
  async function answerForm(c: Context<Env>, form: Form, values: URLSearchParams): Promise<Response> {
    const page = c.get("page");
    const token = values.get(formToken) ?? "";
    const entered = { token: token || newId(deps.now()), values };
    const again = (status: number, notice: string, problems: Problems = {}) => {
      const wait: Record<string, string> = status === 429 ? { "retry-after": "60" } : {};
      return showEntered(c.req.raw, page, { ...entered, notice, problems }, status, wait);
    };
    try {
      // Loaded by the first form: who only reads a page needs nothing of it.
      const { submit } = await import("../domain/pages/submissions.ts");
      const outcome = await submit(deps, page, form, { values, token }, senderOf(c));
      if (outcome === "stored") return c.redirect(`/pages/${page.pageId}/sent`, 303);
      if (outcome === "limited") {
        return again(429, "Too much was sent from your network. Please wait a minute, then send it again.");
      }
      return again(400, "This was not sent yet. Please look at what is marked.", outcome);
    } catch (error) {
      log("error", "submission not stored", { pageId: page.pageId, error: describeError(error) });
      return again(503, "This could not be saved just now. Please send it again.");
    }
  }
  return app;
}

/** What a form sends, or the answer to what is none. */
async function readForm(c: Context<Env>): Promise<URLSearchParams | Response> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    return refuse(c, 415, "A form is sent as application/x-www-form-urlencoded.");
  }
  const most = limits.submission.body;
  const text = await readAtMost(c.req.raw.body, most + 1, c.req.raw.signal);
  return text.length > most
    ? refuse(c, 413, `A form may have at most ${most} bytes.`)
    : new URLSearchParams(text);
}

const senderOf = (c: Context<Env>): Sender => ({
  address: clientAddressOf(c.req.raw),
  userAgent: c.req.header("user-agent") ?? "",
  country: (c.req.raw.cf as IncomingRequestCfProperties | undefined)?.country,
});

/** A refusal in plain words, for programs and for people who meet it once in a lifetime. */
const refuse = (c: Context<Env>, status: 404 | 405 | 413 | 415 | 429 | 500 | 502, words: string): Response =>
  c.text(`${words}\n`, status, { "cache-control": "no-store", "x-content-type-options": "nosniff" });
