/** Names that the scripts share. In the browser, they are one module. */

declare const readMapLink: typeof import("../../../lib/web/map-link.d.ts").readMapLink;
