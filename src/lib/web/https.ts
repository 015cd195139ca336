/** Returns whether a service at this origin is reached only over https: everywhere except in local development. */
export const requiresHttps = (origin: string): boolean => origin.startsWith("https:");

/** Returns whether a request came over plain http. Cloudflare keeps the scheme of the client's request. */
export const isPlainHttp = (request: Request): boolean => request.url.startsWith("http:");

/** Answers a plain http request: redirects GET and HEAD to https, and rejects all other methods. */
export function answerPlainHttp(request: Request): Response {
  const { hostname, pathname, search } = new URL(request.url);
  if (request.method === "GET" || request.method === "HEAD") {
    return new Response(null, {
      status: 308,
      headers: { location: `https://${hostname}${pathname}${search}`, "cache-control": "no-store" },
    });
  }
  // A redirect would teach the client to send its credentials and data in the clear.
  const error = `Use https. Send the request to https://${hostname}${pathname}.`;
  return Response.json(
    { error, code: "forbidden" },
    { status: 403, headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } },
  );
}

/** For how many seconds browsers use https for a host: a year for our own, a day for those of customers. */
const strictTransport = { own: 31_536_000, customers: 86_400 };

/**
 * Adds `Strict-Transport-Security`, so that browsers use https for this host from now on; for no other, because other hosts
 * of its domain may not support https.
 */
export function withStrictTransport(
  response: Response | Promise<Response>,
  whose: keyof typeof strictTransport,
): Response | Promise<Response> {
  // Not awaited, since most scans are answered at once.
  if (!(response instanceof Response))
    return response.then((answered) => withStrictTransport(answered, whose));
  response.headers.set("strict-transport-security", `max-age=${strictTransport[whose]}`);
  return response;
}
