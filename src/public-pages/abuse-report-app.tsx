import { type Context, Hono } from "hono";
import type { Deps } from "../domain/deps.ts";
import { readCode, receiveAbuseReport } from "../domain/abuse-reports/receive.ts";
import { describeError, log } from "../lib/log.ts";
import { isId } from "../lib/text/ids.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { answerWith, serviceDocument } from "../hosted-pages/layout.tsx";
import { readFields, refuse } from "../hosted-pages/requests.ts";
import { AbuseReportForm, type FormState } from "./abuse-report-form.tsx";
import { showMissing } from "../hosted-pages/show.tsx";

/** Shows and receives the form by which anybody can report a code or a hosted page to the operator. */
export function createAbuseReportPages(deps: Deps): Hono<{ Bindings: Cloudflare.Env }> {
  const app = new Hono<{ Bindings: Cloudflare.Env }>().basePath("/report");

  app.get("/", (c) => show(c, { values: prefilled(deps, c), problems: {} }));

  app.post("/", async (c) => {
    const values = await readFields(c);
    if (values instanceof Response) return values;
    const reject = (status: number, notice: string, problems: FormState["problems"] = {}) =>
      show(c, { values, problems, notice }, status, status === 429 ? { "retry-after": "60" } : {});
    try {
      const outcome = await receiveAbuseReport(deps, values, clientAddressOf(c.req.raw));
      if (outcome === "received") return c.redirect("/report/sent", 303);
      if (outcome === "limited") {
        return reject(
          429,
          "Too many reports came from your network. Please wait a minute, then send it again.",
        );
      }
      return reject(400, "Your report was not sent yet. Please check the marked fields.", outcome);
    } catch (error) {
      log("error", "abuse report not stored", { error: describeError(error) });
      return reject(503, "Your report could not be saved. Please send it again.");
    }
  });

  app.get("/sent", async (c) => {
    const main = (
      <>
        <h1>Thank you</h1>
        <p role="status">Your report has been sent to the operator of this service, who will look into it.</p>
        <p>If you entered a password, change it. If you entered a card number, tell your bank.</p>
      </>
    );
    return answerWith(c.req.raw, await serviceDocument("Report sent", main));
  });

  app.notFound((c) => showMissing(c.req.raw));

  app.onError((error, c) => {
    log("error", "abuse report page failed", { path: c.req.path, error: describeError(error) });
    return refuse(c, 500, "Something went wrong on our side. Please try again.");
  });
  return app;
}

/** The subject that the link to the form names: a code by `hash`, or a hosted page by `page`. */
function prefilled(deps: Deps, c: Context): URLSearchParams {
  const page = c.req.query("page")?.toLowerCase() ?? "";
  if (isId(page)) return new URLSearchParams({ page });
  const hash = readCode(c.req.query("hash") ?? "");
  return new URLSearchParams(hash === null ? {} : { code: `${deps.settings.scanOrigin}/${hash}` });
}

async function show(
  c: Context,
  state: FormState,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const thing = state.values.has("page") ? "page" : "QR code";
  const main = (
    <>
      <h1>Report a {thing}</h1>
      <p>
        Does it lead to something harmful? Tell the operator of this service. The owner of the {thing} does
        not see your report, and your IP address is not stored.
      </p>
      <AbuseReportForm state={state} />
    </>
  );
  const title = state.notice === undefined ? `Report a ${thing}` : `Not sent: report a ${thing}`;
  return answerWith(c.req.raw, await serviceDocument(title, main), status, headers);
}
