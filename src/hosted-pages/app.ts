import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Form } from "../contract/resources/pages.ts";
import type { Deps } from "../domain/deps.ts";
import { ServiceError, unavailableSeconds } from "../domain/errors.ts";
import { guardFields, newFormToken } from "../domain/pages/form-guard.ts";
import { imageHeaders, openPageImage } from "../domain/pages/images.ts";
import type { Sender } from "../domain/pages/submissions.ts";
import { isWorkExceeded } from "../domain/public-work.ts";
import { requestContext } from "../edge/routing/request-context.ts";
import { resolvePage } from "../edge/routing/resolve.ts";
import { describeError, log } from "../lib/log.ts";
import { isId } from "../lib/text/ids.ts";
import { answerDrawn } from "../lib/web/file-response.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { routeOf } from "../lib/web/request-line.ts";
import type { PageRoute } from "../protocol/routes.ts";
import { showMissing } from "../ui/visitors/document.tsx";
import { readFields, refuse } from "../ui/visitors/requests.ts";
import type { FormState } from "./form.tsx";
import { showPage, showRejectedForm, showSuspended, showThanks, showUnavailable } from "./show.tsx";

type Env = { Bindings: Cloudflare.Env; Variables: { page: PageRoute } };

/** Serves hosted pages at their own URLs, receives their forms, and proxies their images. */
export function createHostedPages(deps: Deps): Hono<Env> {
  const app = new Hono<Env>().basePath("/pages");

  app.use("/:id/*", async (c, next) => {
    const id = c.req.param("id").toLowerCase();
    const found = isId(id)
      ? await resolvePage(deps, id, requestContext(c.req.raw, c.executionCtx))
      : "unknown";
    if (found === "throttled")
      return refuse(c, 429, "Too many requests for pages that don't exist. Try again in a minute.");
    if (found === "unavailable") return showUnavailable(c.req.raw);
    if (found === "unknown" || found.route.status !== "active") return showMissing(c.req.raw);
    if (found.suspended?.closed) return showMissing(c.req.raw);
    if (found.suspended !== undefined) return showSuspended(c.req.raw, found.suspended);
    c.set("page", found.route);
    await next();
  });

  app.get("/:id", (c) => showPage(deps, c.req.raw, c.get("page"), deps.now()));

  app.post("/:id", async (c) => {
    const { form } = c.get("page").content;
    if (form === null) return refuse(c, 405, "This page has no form.");
    const values = await readFields(c);
    return values instanceof Response ? values : answerForm(c, form, values);
  });

  app.get("/:id/sent", (c) => showThanks(c.req.raw, c.get("page")));

  app.get("/:id/images/:key", async (c) => {
    if (await isWorkExceeded(deps, clientAddressOf(c.req.raw), "page image")) {
      return refuse(c, 429, "Too many images for your network. Try again in a minute.");
    }
    const image = await openPageImage(deps, c.get("page"), c.req.param("key"));
    if (image === "unknown") return refuse(c, 404, "This page has no such image.");
    if (image === "unavailable") return refuse(c, 502, "The image could not be loaded.");
    return c.body(image.body, 200, { ...imageHeaders(image), "cache-control": "public, max-age=86400" });
  });

  app.get("/:id/og.png", async (c) => {
    // Imported when a picture is first asked for, because few visitors are readers of link previews.
    const { pageCard } = await import("../domain/link-previews.ts");
    try {
      const card = await pageCard(deps, c.get("page"), clientAddressOf(c.req.raw));
      return await answerDrawn(c.req.raw, card, "public, max-age=300");
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const headers = { ...error.headers, "cache-control": "no-store" };
      return c.text(`${error.message}\n`, error.status as ContentfulStatusCode, headers);
    }
  });

  app.notFound((c) => showMissing(c.req.raw));

  app.onError((error, c) => {
    log("error", "hosted page failed", { route: routeOf(c), error: describeError(error) });
    return refuse(c, 500, "Something went wrong on our side. Try again.");
  });

  /** Answers a submitted form, with a redirect once it is stored, so that a reload doesn't submit it again. */
  async function answerForm(c: Context<Env>, form: Form, values: URLSearchParams): Promise<Response> {
    const page = c.get("page");
    const sent = { token: values.get(guardFields.token) ?? "", values, problems: {} };
    const reject = (status: number, state: FormState, retryAfter?: number) =>
      showRejectedForm(
        c.req.raw,
        page,
        state,
        status,
        retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
      );
    try {
      // Imported when a form is first submitted, because most visitors only read a page.
      const { submit } = await import("../domain/pages/submissions.ts");
      const outcome = await submit(deps, page, form, values, senderOf(c));
      switch (outcome) {
        case "accepted":
          return c.redirect(`/pages/${page.pageId}/sent`, 303);
        case "limited":
          return reject(429, { ...sent, notice: "limited" }, 60);
        case "limited-today":
          return reject(429, { ...sent, notice: "limitedToday" }, 86_400);
        case "closed":
          return reject(403, { ...sent, notice: "closed" });
        case "trapped":
        case "early":
          return reject(400, { ...sent, notice: outcome });
        case "expired": {
          const token = await newFormToken(deps, page.pageId, deps.now());
          return reject(400, { ...sent, token, notice: "expired" });
        }
        default:
          return reject(400, { ...sent, notice: "invalid", problems: outcome });
      }
    } catch (error) {
      log("error", "submission not stored", { pageId: page.pageId, error: describeError(error) });
      return reject(503, { ...sent, notice: "unavailable" }, unavailableSeconds);
    }
  }
  return app;
}

const senderOf = (c: Context<Env>): Sender => ({
  address: clientAddressOf(c.req.raw),
  country: (c.req.raw.cf as IncomingRequestCfProperties | undefined)?.country,
});
