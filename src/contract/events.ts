import type { Qr } from "./qr.ts";

/** Events a change of the catalogue writes to the outbox, with the `data` a webhook carries. */
export type CatalogueEvent =
  | { readonly kind: "qr.created"; readonly data: Qr }
  | { readonly kind: "qr.updated"; readonly data: Qr & { readonly changed: readonly string[] } }
  | { readonly kind: "qr.deleted"; readonly data: Qr };
