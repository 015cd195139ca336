import { Hono } from "hono/tiny";
import { markPath } from "../lib/web/service-style.ts";

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 25 25"><rect width="25" height="25" rx="5" fill="#1d4ed8"/>' +
  `<path transform="translate(4 4)" fill="#fff" fill-rule="evenodd" d="${markPath}"/></svg>`;

/** The same drawing, 48 pixels wide, for browsers that ask for this file without reading a page. */
const ico =
  "AAABAAEAMDACAAEAAQCOAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAwAAAAMAEDAAAAbcxrxAAAAAZQTFRFHU7Y////HrL5xgAA" +
  "AENJREFUeNpjYCAVMP7/If+/AU41SEgwIqj5MyR/Ekeh6kMxkzS3zG+AUw0SyNT8GagUWAOckm9AUEANSBTQMARFKgAAtvVAn9lk" +
  "Bg4AAAAASUVORK5CYII=";

/** Serves the icon of the site, which browsers show in their tabs. */
export function createIcons(): Hono {
  const app = new Hono();
  const headers = { "cache-control": "public, max-age=604800", "x-content-type-options": "nosniff" };
  app.get("/favicon.svg", (c) => c.body(svg, 200, { ...headers, "content-type": "image/svg+xml" }));
  app.get("/favicon.ico", (c) =>
    c.body(Uint8Array.fromBase64(ico).buffer, 200, { ...headers, "content-type": "image/x-icon" }),
  );
  return app;
}
