import { type ServerName, type ServerOptions, startServer } from "./servers.ts";

// A server in a process of its own, so that its CPU can be measured apart from the load's: `serve.ts NAME OPTIONS`.
const [name, options] = process.argv.slice(2);
const { miniflare, paths } = await startServer(
  name as ServerName,
  JSON.parse(options ?? "") as ServerOptions,
);
process.once("SIGTERM", async () => {
  await miniflare.dispose();
  process.exit(0);
});
const { origin } = await miniflare.unsafeGetDirectURL();
const inspector = options?.includes('"inspector":true')
  ? String(await miniflare.getInspectorURL())
  : undefined;
process.send?.({ origin, paths, inspector });
