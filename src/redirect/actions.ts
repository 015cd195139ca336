import type { Route, RouteAction } from "../protocol/routes.ts";
import { platformOf } from "./platform.ts";

/** Actions that the route alone can perform: all but showing a hosted page. */
type OwnAction = Exclude<RouteAction, { kind: "page" }>;

/** Whether scans get the code's target: it is active, has started and has not expired. @param now epoch milliseconds */
export const isOpen = ({ status, startsAt, expiresAt }: Route, now: number): boolean =>
  status === "active" &&
  (startsAt === undefined || now >= startsAt) &&
  (expiresAt === undefined || now < expiresAt);

/** The response to a scan of an active code. HEAD gets the same, without a body. */
export function respondToScan(
  request: Request,
  hash: string,
  destination: string,
  action: OwnAction | undefined,
): Response | Promise<Response> {
  if (action === undefined) return redirectTo(destination);
  switch (action.kind) {
    case "platform": {
      const platform = platformOf(request.headers.get("user-agent") ?? "");
      return redirectTo((platform !== "other" && action[platform]) || destination);
    }
    case "app-launch":
      return openApp(request, hash, destination);
    case "vcard":
      return withoutBodyOfHead(request, contact(action.text));
  }
}

/** Imports the page's texts when the first such code is scanned. */
async function openApp(request: Request, hash: string, destination: string): Promise<Response> {
  const { appLaunchPage } = await import("./app-launch.ts");
  return withoutBodyOfHead(request, appLaunchPage(request, destination, hash));
}

const withoutBodyOfHead = (request: Request, response: Response): Response =>
  request.method === "HEAD" ? new Response(null, response) : response;

/** A redirect. Never cached: a browser that remembered it would not follow the next one. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });

/** Inline, so that iOS shows the contact; a browser that can't show it saves it under the name. */
const contact = (vcard: string): Response =>
  new Response(vcard, {
    headers: {
      "content-type": "text/vcard; charset=utf-8",
      "content-disposition": 'inline; filename="contact.vcf"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
