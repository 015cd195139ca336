/** The limits that clients meet (spec section 8, and rulings). Other numbers stand beside the code they govern. */
export const limits = {
  /** GET /qr `limit`: default and maximum. */
  qrList: { default: 25, max: 100 },
  /** GET /qr/{id}/scans `limit`: default and maximum. */
  scanList: { default: 50, max: 500 },
  /** Characters of a code's name. */
  name: 200,
  /** Characters of a folder's name. */
  folderName: 100,
  /** Characters of a destination after normalisation. */
  destination: 2048,
  /**
   * A code's `data`: characters of a line and of a text, entries of a list, bytes of JSON in all. It travels with
   * the route to every edge, so it is kept small.
   */
  data: { line: 200, text: 1000, list: 5, bytes: 4096 },
  /** Tags on one code, and characters of one tag. */
  tags: { count: 50, length: 100 },
  /** Bytes of JSON in a free-form object (`advanced`, `colorConfig`). */
  freeForm: 8 * 1024,
  /** Bytes of a JSON request body; larger ones get 413. */
  body: 1024 * 1024,
  /** Bulk: rows of one request, and bytes of its body. */
  bulk: { rows: 10_000, body: 16 * 1024 * 1024 },
  /** Templates of a workspace, and characters of a template's name. */
  templates: 100,
  templateName: 100,
  /** A template's logo: bytes of its file, pixels of a PNG's side, elements an SVG may draw; logos per workspace. */
  logo: { bytes: 256 * 1024, side: 1024, elements: 20_000, count: 1000 },
  /** Hosted pages of a workspace, and GET /developer/pages `limit`: default and maximum. */
  pages: 1000,
  pageList: { default: 25, max: 100 },
  /**
   * A hosted page: characters of its title, of a text, of a label; blocks, fields of its form, options of a choice;
   * bytes of JSON in all. It travels to every edge, so it is kept small.
   */
  page: { title: 200, text: 5000, label: 200, blocks: 50, fields: 20, options: 50, bytes: 32 * 1024 },
  /** An image on a page: bytes. */
  pageImage: { bytes: 5 * 1024 * 1024 },
  /** A submission: bytes as it is posted, characters of a line and of a text of several lines. */
  submission: { body: 128 * 1024, line: 500, text: 5000 },
  /** GET …/submissions `limit`: default and maximum. */
  submissionList: { default: 50, max: 200 },
  /** An image's side in pixels, and the empty modules around the code. */
  image: { size: { min: 64, max: 4096, default: 512 }, margin: { min: 0, max: 20, default: 4 } },
  /** The side of a PNG that anybody may have drawn: its pixels cost time, and nobody is counted there. */
  publicPng: 1024,
  /** Dots, and corners, must stand out from the background by at least this much (WCAG 2's ratio). */
  contrast: 3,
  /** GET …/deliveries `limit`: default and maximum. */
  deliveryList: { default: 50, max: 200 },
  /** Characters of an Idempotency-Key, and how long its answer is kept. */
  idempotency: { key: 255, milliseconds: 24 * 60 * 60 * 1000 },
  /** Characters of a key's name; keys of a workspace that are not revoked. */
  keyName: 100,
  keys: 100,
  /** Origins of a publishable key, and characters of one. */
  keyOrigins: { count: 20, length: 255 },
} as const;
