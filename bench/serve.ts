import { type ServerName, startServer } from "./servers.ts";

// A server in a process of its own, so that its CPU can be told from the load's: `serve.ts NAME PORT HASHES`.
const [name, port, hashes] = process.argv.slice(2);
const { miniflare, paths } = await startServer(name as ServerName, Number(port), Number(hashes));
process.once("SIGTERM", async () => {
  await miniflare.dispose();
  process.exit(0);
});
process.send?.({ paths });
