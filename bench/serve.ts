import { type ServerName, type ServerOptions, startServer } from "./servers.ts";

// A server in a process of its own, so that its CPU can be measured apart from the load's: `serve.ts NAME OPTIONS`.
const [name, json = "{}"] = process.argv.slice(2);
const options = JSON.parse(json) as ServerOptions;
const { miniflare, paths } = await startServer(name as ServerName, options);
const end = async () => {
  await miniflare.dispose();
  process.exit(0);
};
process.once("SIGTERM", end);
// A benchmark that ends without a word must not leave its servers behind.
process.once("disconnect", end);
const { origin } = await miniflare.unsafeGetDirectURL();
const inspector = options.inspector === true ? String(await miniflare.getInspectorURL()) : undefined;
process.send?.({ origin, paths, inspector });
