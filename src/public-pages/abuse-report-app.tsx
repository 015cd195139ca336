import { type Context, Hono } from "hono";
import { receiveAbuseReport } from "../domain/abuse-reports/receive.ts";
import type { Deps } from "../domain/deps.ts";
import { unavailableSeconds } from "../domain/errors.ts";
import { describeError, log } from "../lib/log.ts";
import { readHash } from "../lib/text/hash.ts";
import { isId } from "../lib/text/ids.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { routeOf } from "../lib/web/request-line.ts";
import { answerWith, serviceDocument, showMissing } from "../ui/visitors/document.tsx";
import { readFields, refuse } from "../ui/visitors/requests.ts";
import { scannerLanguage } from "../ui/visitors/texts/catalogue.ts";
import { AbuseReportForm, type FormState } from "./abuse-report-form.tsx";

/** When to send a report again, by the status of its refusal. */
const retryAfter = {
  400: {},
  429: { "retry-after": "60" },
  503: { "retry-after": String(unavailableSeconds) },
};

/** Shows and receives the form with which anyone can report a code or hosted page to the operator. */
export function createAbuseReportPages(deps: Deps): Hono<{ Bindings: Cloudflare.Env }> {
  const app = new Hono<{ Bindings: Cloudflare.Env }>().basePath("/report");

  app.get("/", (c) => show(c, { values: prefilled(deps, c), problems: {} }));

  app.post("/", async (c) => {
    const values = await readFields(c);
    if (values instanceof Response) return values;
    const reject = (
      status: 400 | 429 | 503,
      notice: NonNullable<FormState["notice"]>,
      problems: FormState["problems"] = {},
    ) => show(c, { values, problems, notice }, status, retryAfter[status]);
    try {
      const outcome = await receiveAbuseReport(deps, values, clientAddressOf(c.req.raw));
      if (outcome === "received") return c.redirect("/report/sent", 303);
      if (outcome === "limited") return reject(429, "limited");
      return reject(400, "invalid", outcome);
    } catch (error) {
      log("error", "abuse report not stored", { error: describeError(error) });
      return reject(503, "unavailable");
    }
  });

  app.get("/sent", async (c) => {
    const { texts, language } = scannerLanguage(c.req.raw);
    const { title, text, advice } = texts.abuse.sent;
    const main = (
      <>
        <h1>{title}</h1>
        <p role="status">{text}</p>
        <p>{advice}</p>
      </>
    );
    return answerWith(c.req.raw, await serviceDocument(title, main, language.tag));
  });

  app.notFound((c) => showMissing(c.req.raw));

  app.onError((error, c) => {
    log("error", "abuse report page failed", { route: routeOf(c), error: describeError(error) });
    return refuse(c, 500, "Something went wrong on our side. Try again.");
  });
  return app;
}

/** Returns the subject named in the link to the form: a code by `hash`, or a hosted page by `page`. */
function prefilled(deps: Deps, c: Context): URLSearchParams {
  const page = c.req.query("page")?.toLowerCase() ?? "";
  if (isId(page)) return new URLSearchParams({ page });
  const hash = readHash(c.req.query("hash") ?? "");
  return new URLSearchParams(hash === null ? {} : { code: `${deps.settings.scanOrigin}/${hash}` });
}

async function show(
  c: Context,
  state: FormState,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { texts, language } = scannerLanguage(c.req.raw);
  const subject = state.values.has("page") ? "page" : "code";
  const heading = texts.abuse.title[subject];
  const main = (
    <>
      <h1>{heading}</h1>
      <p>{texts.abuse.intro[subject]}</p>
      <AbuseReportForm state={state} texts={texts} />
    </>
  );
  const title = state.notice === undefined ? heading : texts.notSent(heading);
  return answerWith(c.req.raw, await serviceDocument(title, main, language.tag), status, headers);
}
