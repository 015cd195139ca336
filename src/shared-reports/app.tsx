import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { openSharedReport, type OpenedReport } from "../domain/analytics/sharing.ts";
import type { Deps } from "../domain/deps.ts";
import { asServiceError, ServiceError } from "../domain/errors.ts";
import { describeError, log } from "../lib/log.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { answerAsset } from "../dashboard/assets/files.ts";
import { formatDate } from "../dashboard/components/values/format.ts";
import { contentSecurityPolicy, htmlDocument, plainDocument } from "../dashboard/frame/document.tsx";
import { Report } from "../dashboard/analytics/report.tsx";

type Env = { Bindings: Cloudflare.Env };

const assets = "/shared/assets";

/**
 * Reports for everyone who has their link. Customers name what they show, so they are on the host of scans, with files of
 * their own. The pages have no navigation and nothing of another site.
 */
export function createSharedReports(deps: Deps): Hono<Env> {
  const app = new Hono<Env>().basePath("/shared");

  app.use(async (c, next) => {
    c.header("cache-control", "no-store");
    c.header("content-security-policy", contentSecurityPolicy(deps.settings.scanOrigin));
    c.header("x-content-type-options", "nosniff");
    c.header("x-robots-tag", "noindex, nofollow");
    // The link is a secret: no other site may see it.
    c.header("referrer-policy", "no-referrer");
    await next();
  });

  app.get("/assets/:file", async (c) => (await answerAsset(c.req.path)) ?? missing(c));

  app.get("/:token", async (c) => {
    const opened = await openSharedReport(deps, c.req.param("token"), clientAddressOf(c.req.raw));
    return c.html(await sharedDocument(opened));
  });

  app.notFound((c) => missing(c));

  app.onError(async (error, c) => {
    if (error instanceof ServiceError && error.code === "rate_limited") {
      const content = <Message title="Too many requests" text="Please wait a minute, then try again." />;
      return c.html(await plainDocument("Too many requests", content, assets), 429, { ...error.headers });
    }
    if (error instanceof ServiceError && error.code === "not_found") return missing(c);
    log("error", "shared report failed", { error: describeError(error) });
    const content = <Message title="Something went wrong on our side" text="Please try again." />;
    const { status, headers } = asServiceError(error) ?? new ServiceError("internal", "");
    return c.html(
      await plainDocument("Something went wrong", content, assets),
      status as ContentfulStatusCode,
      {
        ...headers,
      },
    );
  });
  return app;
}

async function missing(c: Context<Env>): Promise<Response> {
  const title = "This report is not available";
  const text = "Its link has ended, or it is not complete. Ask the person who sent it to you.";
  return c.html(await plainDocument(title, <Message title={title} text={text} />, assets), 404);
}

function Message({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>
  );
}

function sharedDocument({ subject, report, expiresAt }: OpenedReport) {
  const title = subject.kind === "code" ? subject.name : `Codes with the tag ${subject.name}`;
  return htmlDocument(
    title,
    () => (
      <body>
        <main class="page shared" id="main" tabindex={-1}>
          <div class="head">
            <div>
              <h1>{title}</h1>
              <p class="quiet">
                Scans from {formatDate(report.from)} to {formatDate(report.to)}
                {expiresAt !== null &&
                  `. This page can be read until ${formatDate(new Date(expiresAt - 1).toISOString(), report.timeZone)}`}
                .
              </p>
            </div>
          </div>
          <Report report={report} bots settings={null} />
        </main>
      </body>
    ),
    assets,
  );
}
