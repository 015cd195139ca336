import type { ClosedReason } from "../../contract/resources/enums.ts";
import type { Route, RouteAction } from "../../protocol/routes.ts";
import type { Resolved } from "../routing/owned-record-reader.ts";
import { platformOf } from "./platform.ts";
import { withScanQuery } from "./scan-query.ts";

/** The actions that a route alone can perform. Showing a hosted page needs the page's own record. */
type OwnAction = Exclude<RouteAction, { kind: "page" }>;

/**
 * Returns whether scans get the code's target: the code is active, has started and has not expired. @param now epoch
 * milliseconds
 */
export const isOpen = ({ status, startsAt, expiresAt }: Route, now: number): boolean =>
  status === "active" &&
  (startsAt === undefined || now >= startsAt) &&
  (expiresAt === undefined || now < expiresAt);

/** A code with what suspends it, if anything does: the code's own suspension, or its page's or workspace's. */
export type ScannedRoute = Pick<Resolved<Route>, "route" | "suspended">;

/** Returns why scans of a code get no target; undefined if they get it. @param now epoch milliseconds */
export function closedReason({ route, suspended }: ScannedRoute, now: number): ClosedReason | undefined {
  const { status, startsAt } = route;
  if (status === "deleted") return "deleted";
  if (suspended !== undefined) return "suspended";
  if (isOpen(route, now)) return undefined;
  if (status === "paused") return "paused";
  return startsAt !== undefined && now < startsAt ? "not_started" : "expired";
}

/** Answers a scan of an active code. HEAD gets the same response without a body. */
export function respondToScan(
  request: Request,
  hash: string,
  { destination, query }: Pick<Route, "destination" | "query">,
  action: OwnAction | undefined,
): Response | Promise<Response> {
  if (action === undefined) return leadTo(destination, query, request);
  switch (action.kind) {
    case "platform": {
      const platform = platformOf(request.headers.get("user-agent") ?? "");
      return leadTo((platform !== "other" && action[platform]) || destination, query, request);
    }
    case "app-launch":
      return openApp(request, hash, destination);
    case "vcard":
      return takesPage(request) && !isContactFile(request, action)
        ? showContact(request, hash, action.text)
        : withoutBodyOfHead(request, contactFile(action.text));
  }
}

const leadTo = (url: string, query: Route["query"], request: Request): Response =>
  redirectTo(query === undefined ? url : withScanQuery(url, query, request.url));

/** The page's texts are imported when an isolate answers the first such scan. */
async function openApp(request: Request, hash: string, destination: string): Promise<Response> {
  const { appLaunchPage } = await import("./app-launch.ts");
  return withoutBodyOfHead(request, appLaunchPage(request, destination, hash));
}

const withoutBodyOfHead = (request: Request, response: Response): Response =>
  request.method === "HEAD" ? new Response(null, response) : response;

/** Redirects. Never cached: a browser that remembered a redirect would miss the next change. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });

/** How many characters of a header are read. */
const maxAccept = 1000;

/** Returns whether a request takes a page rather than a file, as browsers do. Programs take anything, or name vCards. */
function takesPage({ headers }: Request): boolean {
  const accept = headers.get("accept")?.slice(0, maxAccept) ?? "";
  return /text\/html(?! *; *q=0(?:\.0*)?(?:[, ]|$))/i.test(accept) && !/vcard/i.test(accept);
}

/** Returns whether a contact's page requests its vCard, which doesn't count as a scan. */
export function isContactFile({ url }: Request, action: RouteAction | undefined): boolean {
  const query = action?.kind === "vcard" ? url.indexOf("?") : -1;
  return query !== -1 && /[?&]vcf(?:[=&]|$)/.test(url.slice(query));
}

/** The page and its texts are imported when an isolate answers the first such scan. */
async function showContact(request: Request, hash: string, vcard: string): Promise<Response> {
  const { contactPage } = await import("./contact-page.ts");
  return withoutBodyOfHead(request, contactPage(request, vcard, hash));
}

/** Served inline so that iOS shows the contact; a browser that can't show it saves it under this name. */
const contactFile = (vcard: string): Response =>
  new Response(vcard, {
    headers: {
      "content-type": "text/vcard; charset=utf-8",
      "content-disposition": 'inline; filename="contact.vcf"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
