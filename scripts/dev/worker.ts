// The main Worker as `npm run dev` runs it: with a gallery of its components, and an example company to open.
import { dashboardFiles } from "../../src/dashboard/assets/files.ts";
import { createWorker } from "../../src/worker.ts";
import styles from "./gallery/gallery.css" with { type: "text" };
import { galleryPage } from "./gallery/gallery.tsx";
import { examplePath, galleryPath, sweepPath } from "./paths.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

const service = createWorker(({ OIDC_ISSUER }) => ({ settings: { exampleUrl: OIDC_ISSUER + examplePath } }));

const stylesPath = `${galleryPath}.css`;

export default {
  ...service,
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === stylesPath) return new Response(styles, { headers: { "content-type": "text/css" } });
    if (pathname === sweepPath) {
      await service.scheduled(undefined, env);
      return new Response();
    }
    if (pathname !== galleryPath) return service.fetch(request, env, ctx);
    const base = { files: () => dashboardFiles.paths("/dashboard/assets"), serviceName: "QR codes" };
    const page = await galleryPage(base, stylesPath);
    return new Response(String(page), { headers: { "content-type": "text/html; charset=utf-8" } });
  },
} satisfies ExportedHandler<Env>;
