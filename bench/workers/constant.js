// (a) The lower bound of a redirect's cost: a constant response.
export default {
  fetch: () =>
    new Response(null, {
      status: 302,
      headers: { location: "https://example.com/", "cache-control": "no-store" },
    }),
};
