import { type Context, Hono } from "hono";
import type { ContentfulStatusCode, StatusCode } from "hono/utils/http-status";
import { type Range, ranges as rangeNames } from "../domain/analytics/ranges.ts";
import {
  type OpenedReport,
  openSharedLink,
  openSharedReport,
  subjectTitle,
} from "../domain/analytics/sharing.ts";
import type { Deps } from "../domain/deps.ts";
import { asServiceError, requireFound, ServiceError } from "../domain/errors.ts";
import { getLogo } from "../domain/logos/logos.ts";
import { serviceNameOf } from "../domain/service-name.ts";
import { describeError, log } from "../lib/log.ts";
import { agentRuleOf } from "../lib/text/bot-rules.ts";
import { answerDrawn, fileHeaders } from "../lib/web/file-response.ts";
import { LinkImage } from "../lib/web/link-image.tsx";
import { clientAddressOf } from "../lib/web/network.ts";
import { routeOf } from "../lib/web/request-line.ts";
import { withoutScheme } from "../lib/web/without-scheme.ts";
import { formatDays, formatShortDays } from "../ui/charts/format.ts";
import {
  contentSecurityPolicy,
  type DocumentBase,
  type DocumentFile,
  htmlDocument,
  plainDocument,
} from "../ui/document.tsx";
import { Icon } from "../ui/icon.tsx";
import { Report } from "../ui/report/report.tsx";
import { Summary } from "../ui/report/summary.tsx";
import { Segmented } from "../ui/segmented.tsx";
import type { StaticFiles } from "../ui/static-files.ts";
import { formatDate, formatTime } from "../ui/values/format.ts";
import { tintClasses } from "../ui/values/tint.ts";
import { WorkspaceLogo } from "../ui/values/workspace-logo.tsx";

type Env = { Bindings: Cloudflare.Env };

/**
 * Reports for everyone who has their link. Customers name the things they show, so they are on the scan host, which
 * serves their files, too. The pages have no navigation and load nothing from other sites.
 */
export function createSharedReports(deps: Deps, assets: StaticFiles<DocumentFile>): Hono<Env> {
  const base = { files: () => assets.paths("/shared/assets"), serviceName: serviceNameOf(deps) };
  const app = new Hono<Env>().basePath("/shared");

  app.use(async (c, next) => {
    c.header("cache-control", "no-store");
    c.header("content-security-policy", contentSecurityPolicy(deps.settings.scanOrigin));
    c.header("x-content-type-options", "nosniff");
    c.header("x-robots-tag", "noindex, nofollow");
    // The link is a secret, so no other site may see it.
    c.header("referrer-policy", "no-referrer");
    await next();
  });

  app.get("/assets/:file", async (c) => (await assets.answer(c.req.path)) ?? missing(c, base));

  app.get("/:token", async (c) => {
    const range = c.req.query("range") ?? "";
    const isPerson = agentRuleOf(c.req.header("user-agent") ?? "") === null;
    const address = clientAddressOf(c.req.raw);
    const opened = await openSharedReport(deps, c.req.param("token"), range, address, isPerson);
    return c.html(await sharedDocument(deps, base, opened, c.req.path));
  });

  app.get("/:token/logo", async (c) => {
    const link = await openSharedLink(deps, c.req.param("token"), clientAddressOf(c.req.raw));
    const logo = await getLogo(deps, link.context, requireFound(link.logoId ?? undefined, "Logo"));
    const headers = { ...fileHeaders(logo), "cache-control": "no-store", "content-type": logo.mediaType };
    return c.newResponse(await logo.draw(), 200, headers);
  });

  app.get("/:token/og.png", async (c) => {
    const { sharedReportCard } = await import("../domain/link-previews.ts");
    try {
      const card = await sharedReportCard(deps, c.req.param("token"), clientAddressOf(c.req.raw));
      // Asked for again each time, because the link may have ended.
      const { status, headers, body } = await answerDrawn(c.req.raw, card, "private, no-cache");
      return c.newResponse(body, status as StatusCode, Object.fromEntries(headers));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return c.text(`${error.message}\n`, error.status as ContentfulStatusCode, { ...error.headers });
    }
  });

  app.notFound((c) => missing(c, base));

  app.onError(async (error, c) => {
    if (error instanceof ServiceError && error.code === "rate_limited") {
      const content = <Message title="Too many requests" text="Wait a minute, then try again." />;
      return c.html(await plainDocument(base, "Too many requests", content), 429, { ...error.headers });
    }
    if (error instanceof ServiceError && error.code === "not_found") return missing(c, base);
    if (error instanceof ServiceError && error.invalid !== undefined) {
      const content = (
        <Message
          title="This range can't be shown"
          text="There are now too many codes for that many days. Choose a shorter range, or ask the person who sent you the link."
        />
      );
      return c.html(await plainDocument(base, "This range can't be shown", content), 400);
    }
    log("error", "shared report failed", { route: routeOf(c), error: describeError(error) });
    const content = <Message title="Something went wrong on our side" text="Try again in a minute." />;
    const { status, headers } = asServiceError(error) ?? new ServiceError("internal", "");
    return c.html(
      await plainDocument(base, "Something went wrong", content),
      status as ContentfulStatusCode,
      {
        ...headers,
      },
    );
  });
  return app;
}

async function missing(c: Context<Env>, base: DocumentBase): Promise<Response> {
  const title = "This report isn't available";
  const text = "The link has expired or is incomplete. Ask the person who sent it for a new one.";
  return c.html(await plainDocument(base, title, <Message title={title} text={text} />), 404);
}

function Message({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>
  );
}

function sharedDocument(deps: Deps, base: DocumentBase, opened: OpenedReport, path: string) {
  const { workspaceName, color, logoId, subject, ranges, range, dates, report, expiresAt } = opened;
  const now = deps.now();
  const title = subjectTitle(subject, workspaceName);
  const picture = `${deps.settings.scanOrigin}${path}/og.png`;
  const { timeZone } = report;
  return htmlDocument(
    base,
    title,
    <main class="page shared" id="main" tabindex={-1}>
      <header class={color === null ? "shared-head" : `shared-head ${tintClasses(color)}`}>
        {subject.kind === "code" && (
          <img
            class="code-image"
            src={`${deps.settings.scanOrigin}/${subject.qr.hash}.svg?margin=2`}
            alt={`QR code for ${subject.qr.scanUrl}`}
            width="112"
            height="112"
          />
        )}
        <div>
          <p class="quiet with-avatar">
            {logoId !== null && <WorkspaceLogo name={workspaceName} logo={`${path}/logo`} />}
            <span dir="auto">{workspaceName}</span>
          </p>
          <h1>{title}</h1>
          <p class="quiet">
            {formatDays(report)}, in the time zone {timeZone}
          </p>
          {subject.kind === "code" && <p class="address">{withoutScheme(subject.qr.scanUrl)}</p>}
        </div>
        <button class="button" type="button" hidden data-script="" data-print="">
          <Icon name="printer" />
          Print
        </button>
      </header>
      {ranges.length > 1 && (
        <Segmented
          label="Range"
          items={(Object.keys(rangeNames) as Range[])
            .filter((each) => ranges.includes(each))
            .map((each) => ({
              href: each === ranges[0] ? path : `${path}?range=${each}`,
              text: each === "custom" && dates !== null ? formatShortDays(dates) : rangeNames[each],
              current: each === range,
            }))}
        />
      )}
      <Summary report={report} />
      <Report report={report} bots workspaceName={null} now={now} />
      <footer class="shared-foot small quiet">
        Updated {formatTime(new Date(now).toISOString(), timeZone)}.
        {expiresAt !== null &&
          ` This link works until ${formatDate(new Date(expiresAt - 1).toISOString(), timeZone)}.`}
      </footer>
    </main>,
    {
      head: (
        <>
          <meta property="og:title" content={title} />
          {deps.images !== undefined && <LinkImage url={picture} alt={title} drawn />}
        </>
      ),
    },
  );
}
