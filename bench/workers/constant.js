// (a) The least a Worker can do: a constant redirect.
export default {
  fetch: () =>
    new Response(null, {
      status: 302,
      headers: { location: "https://example.com/", "cache-control": "no-store" },
    }),
};
