/** Whether a service at this origin is reached by https only: everywhere except in local development. */
export const requiresHttps = (origin: string): boolean => origin.startsWith("https:");

/** Whether a request came by plain http. Cloudflare keeps the scheme of the client's request. */
export const isPlainHttp = (request: Request): boolean => request.url.startsWith("http:");

/** The answer to a plain http request: GET and HEAD are redirected to https, and all other methods refused. */
export function answerPlainHttp(request: Request): Response {
  const { hostname, pathname, search } = new URL(request.url);
  if (request.method === "GET" || request.method === "HEAD") {
    return new Response(null, {
      status: 308,
      headers: { location: `https://${hostname}${pathname}${search}`, "cache-control": "no-store" },
    });
  }
  // Redirecting it would teach the client to send its credentials and data in the clear.
  const error = `Use https. Send the request to https://${hostname}${pathname}.`;
  return Response.json(
    { error, code: "forbidden" },
    { status: 403, headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } },
  );
}

/** One year, for this host alone: other hosts of its domain may not have https. */
const strictTransport = "max-age=31536000";

/** Adds `Strict-Transport-Security`, so that browsers use https for this host from then on. */
export function withStrictTransport(response: Response): Response {
  response.headers.set("strict-transport-security", strictTransport);
  return response;
}
