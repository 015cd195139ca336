import { type ServerName, type ServerOptions, startServer } from "./servers.ts";

// `serve.ts NAME OPTIONS` runs a server in its own process, so that its CPU is measured separately from the load's.
const [name, json = "{}"] = process.argv.slice(2);
const options = JSON.parse(json) as ServerOptions;
const { miniflare, paths } = await startServer(name as ServerName, options);
const end = async () => {
  await miniflare.dispose();
  process.exit(0);
};
process.once("SIGTERM", end);
// The channel closes if the benchmark's process ends without sending a signal.
process.once("disconnect", end);
const { origin } = await miniflare.unsafeGetDirectURL();
const inspector = options.inspector === true ? String(await miniflare.getInspectorURL()) : undefined;
process.send?.({ origin, paths, inspector });
