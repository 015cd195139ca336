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
import { closedNotice, formToken } from "./form.tsx";
import { showMissing, showPage, showRejectedForm, showThanks, showUnavailable } from "./show.tsx";

type Env = { Bindings: Cloudflare.Env; Variables: { page: PageRoute } };

/** Serves hosted pages at their own URL, receives their forms, and proxies their images. */
export function createHostedPages(deps: Deps): Hono<Env> {
  const app = new Hono<Env>().basePath("/pages");

  app.use("/:id/*", async (c, next) => {
    const id = c.req.param("id").toLowerCase();
    const page = isId(id)
      ? await resolvePage(deps, id, requestContext(c.req.raw, c.executionCtx))
      : "unknown";
    if (page === "throttled")
      return refuse(c, 429, "Too many requests for pages that do not exist. Please try again in a minute.");
    if (page === "unavailable") return showUnavailable(c.req.raw);
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
    if (image === "unavailable") return refuse(c, 502, "The image could not be loaded from its host.");
    return c.body(image.body, 200, {
      "content-type": image.mediaType,
      "cache-control": "public, max-age=86400",
      // Keeps an SVG that is opened directly from running scripts or loading anything.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
    });
  });

  app.notFound((c) => showMissing(c.req.raw));

  app.onError((error, c) => {
    log("error", "hosted page failed", { path: c.req.path, error: describeError(error) });
    return refuse(c, 500, "Something went wrong on our side. Please try again.");
  });

  /** Answers a submitted form: a redirect once it is stored, so that a reload does not submit it again. */
  async function answerForm(c: Context<Env>, form: Form, values: URLSearchParams): Promise<Response> {
    const page = c.get("page");
    const token = values.get(formToken) ?? "";
    const submitted = { token: token || newId(deps.now()), values };
    const reject = (
      status: number,
      notice: string,
      problems: Problems = {},
      headers: Record<string, string> = {},
    ) => {
      return showRejectedForm(c.req.raw, page, { ...submitted, notice, problems }, status, headers);
    };
    try {
      // Imported when the first form is submitted, because most visitors only read a page.
      const { submit } = await import("../domain/pages/submissions.ts");
      const outcome = await submit(deps, page, form, { values, token }, senderOf(c));
      if (outcome === "stored") return c.redirect(`/pages/${page.pageId}/sent`, 303);
      if (outcome === "limited") {
        const notice =
          "Too many forms were sent from your network. Please wait a minute, then send it again.";
        return reject(429, notice, {}, { "retry-after": "60" });
      }
      if (outcome === "limited-today") {
        const notice = "Too many forms were sent from your network today. Please send it again tomorrow.";
        return reject(429, notice, {}, { "retry-after": "86400" });
      }
      if (outcome === "closed") return reject(403, closedNotice);
      return reject(400, "Your answers were not sent yet. Please check the marked fields.", outcome);
    } catch (error) {
      log("error", "submission not stored", { pageId: page.pageId, error: describeError(error) });
      return reject(503, "Your answers could not be saved. Please send them again.");
    }
  }
  return app;
}

/** The fields of a submitted form, or the response to a request that is not a form. */
async function readForm(c: Context<Env>): Promise<URLSearchParams | Response> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    return refuse(c, 415, "A form must be sent as application/x-www-form-urlencoded.");
  }
  const maxBytes = limits.submission.body;
  const text = await readAtMost(c.req.raw.body, maxBytes + 1, c.req.raw.signal);
  return text.length > maxBytes
    ? refuse(c, 413, `A form may have at most ${maxBytes} bytes.`)
    : new URLSearchParams(text);
}

const senderOf = (c: Context<Env>): Sender => ({
  address: clientAddressOf(c.req.raw),
  userAgent: c.req.header("user-agent") ?? "",
  country: (c.req.raw.cf as IncomingRequestCfProperties | undefined)?.country,
});

/** A plain-text error. People hardly ever see one: browsers do not send such requests. */
const refuse = (
  c: Context<Env>,
  status: 404 | 405 | 413 | 415 | 429 | 500 | 502,
  message: string,
): Response =>
  c.text(`${message}\n`, status, { "cache-control": "no-store", "x-content-type-options": "nosniff" });
