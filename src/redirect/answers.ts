import type { RouteAction } from "../protocol/routes.ts";
import { openerPage } from "./pages.ts";
import { platformOf } from "./platform.ts";

/** Answers that are made from the route alone: all but a hosted page. */
type OwnAction = Exclude<RouteAction, { kind: "page" }>;

/** What an active code answers a scan, by its type. To HEAD the same, without a body. */
export function answerScan(request: Request, destination: string, action: OwnAction | undefined): Response {
  if (action === undefined) return redirectTo(destination);
  const response = answerOtherwise(request, destination, action);
  return request.method === "HEAD" ? new Response(null, response) : response;
}

function answerOtherwise(request: Request, destination: string, action: OwnAction): Response {
  switch (action.kind) {
    case "platform": {
      const platform = platformOf(request.headers.get("user-agent") ?? "");
      return redirectTo((platform !== "other" && action[platform]) || destination);
    }
    case "app-launch":
      return openerPage(destination);
    case "vcard":
      return contact(action.text);
  }
}

/** Never to be kept: a browser that remembers a redirect would not follow the next one. */
const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });

/** Inline, so that iOS shows the contact; a browser that can't saves it under the name. */
const contact = (vcard: string): Response =>
  new Response(vcard, {
    headers: {
      "content-type": "text/vcard; charset=utf-8",
      "content-disposition": 'inline; filename="contact.vcf"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
