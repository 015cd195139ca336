// (b) One KV read, then the redirect.
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const location = await env.ROUTES.get(pathname.slice(1));
    if (location === null) return new Response(null, { status: 404 });
    return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  },
};
