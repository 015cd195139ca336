import { raw } from "hono/html";
import { Hono } from "hono/tiny";
import type { Deps } from "../domain/deps.ts";
import { mark } from "../lib/web/service-style.ts";
import { answerWith, serviceDocument } from "../ui/visitors/document.tsx";

/** Answers the root of the scan host, which no code uses, with a welcome page or a redirect to a configured URL. */
export function createWelcome(deps: Deps): Hono {
  const app = new Hono();

  app.get("/", async (c) => {
    if (deps.settings.homeUrl !== "") {
      return new Response(null, {
        status: 302,
        headers: { location: deps.settings.homeUrl, "cache-control": "no-store" },
      });
    }
    return answerWith(
      c.req.raw,
      await serviceDocument("QR codes", <Welcome origin={deps.settings.appOrigin} />),
    );
  });

  app.all("/", (c) => c.text("Only GET and HEAD are allowed here.\n", 405, { allow: "GET, HEAD" }));
  return app;
}

/** @param origin of the dashboard and the API */
function Welcome({ origin }: { origin: string }) {
  return (
    <>
      {raw(mark)}
      <h1>QR codes you can change</h1>
      <p>
        Print a code once. Change where it leads as often as you like. Scan one with your phone's camera, and
        this service takes you there.
      </p>
      <a class="button" href={`${origin}/dashboard`}>
        Open dashboard
      </a>
      <footer>
        <a href={`${origin}/api/v1/docs`}>API reference</a> <a href="/report">Report a code</a>
      </footer>
    </>
  );
}
