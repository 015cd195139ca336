// (c) One indexed D1 read, then the redirect.
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const location = await env.DB.prepare("SELECT location FROM routes WHERE hash = ?")
      .bind(pathname.slice(1))
      .first("location");
    if (location === null) return new Response(null, { status: 404 });
    return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  },
};
