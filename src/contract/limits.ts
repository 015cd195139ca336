/** The limits that clients can run into. Other constants are next to the code that uses them. */
export const limits = {
  /** The `limit` of GET /qr. */
  qrList: { default: 25, max: 100 },
  /** The `limit` of GET /qr/{id}/scans. */
  scanList: { default: 50, max: 500 },
  /** Characters of the filters `os` and `browser` of GET /qr/{id}/scans. */
  scanName: 100,
  /** Exports and downloads that a workspace has at a time. */
  exports: 5,
  /** Live connections per workspace. */
  liveConnections: 20,
  /** Analytics: values per dimension, steps of a series, codes of a tag or folder, and days times codes of these. */
  dimensionItems: { default: 10, max: 500 },
  analytics: { points: 1100, codes: 1000, codeDays: 100_000 },
  /** Reports that a workspace shares by a link. */
  sharedReports: 100,
  /** Characters of a QR code's name. */
  name: 200,
  /** Characters of a campaign parameter in `utm`. */
  utm: 100,
  /** Characters of the reason of a suspension. */
  suspensionReason: 500,
  /** Characters of a folder's name. */
  folderName: 100,
  /** Codes of a folder, a tag or a logo that are counted: counting reads them all. One more stands for "more". */
  countedCodes: 10_000,
  /** Folders or hosted pages in a select of the dashboard. */
  choices: 200,
  /** Characters of a destination after normalisation. */
  destination: 2048,
  /**
   * The `data` of a QR code: characters of a single line and of longer text, entries of a list, bytes of the whole as
   * JSON. Small, because it is replicated to every edge as part of the route.
   */
  data: { line: 200, text: 1000, list: 5, bytes: 4096 },
  /** Tags per QR code, and characters per tag. */
  tags: { count: 50, length: 100 },
  /** A free-form object (`advanced`, `colorConfig`): bytes of it as JSON, and levels of nested objects and arrays. */
  freeForm: { bytes: 8 * 1024, depth: 32 },
  /** Bytes of a JSON request body; a larger one is answered 413. Also the characters of an item of a bulk request. */
  body: 1024 * 1024,
  /**
   * A bulk request: rows, and bytes of its body, at most `rowBytes` for each row that the plan allows. A code as large as
   * it can be has about half of that.
   */
  bulk: { rows: 10_000, body: 16 * 1024 * 1024, rowBytes: 64 * 1024 },
  /**
   * Shown by the page of an import: rows at most, of which some are the first of the table and some the first with each kind of
   * problem; bytes of all of them; columns at a time; characters of a cell that needs no correction, and of one that can
   * be corrected there.
   */
  shownTable: {
    ...{ rows: 100, firstRows: 20, linkedRows: 6, bytes: 40 * 1024 },
    ...{ columns: 30, length: 80, editable: 2200 },
  },
  /** Columns of a table: a CSV in a bulk request, or an import in the dashboard. */
  tableColumns: 100,
  /** Bytes of a table that is imported in the dashboard, which carries it from page to page. */
  importedTable: 4 * 1024 * 1024,
  /** Fields of its form: one for each column, and one for each cell that is corrected. */
  importedFields: 5000,
  /**
   * A bulk update: codes that it may match, ids that a request may list, codes that a dry run shows, bytes of the
   * dashboard's form, which lists as many ids. Codes that the dashboard looks at before the start, and hosts of their
   * destinations that it offers to replace. Codes that are changed and not yet settled.
   */
  bulkUpdate: {
    ...{ codes: 100_000, ids: 10_000, samples: 10, formBytes: 512 * 1024 },
    ...{ lookedAt: 2000, hosts: 20, unsettled: 1000 },
  },
  /** How often a change of a code is tried again when other requests overtake it, and for how many seconds a suspension is. */
  changeAttempts: { count: 8, suspensionSeconds: 30 },
  /** Days for which the items of a completed bulk job, and the job itself, can be read. */
  bulkItemDays: 30,
  bulkJobDays: 365,
  /**
   * Bytes that count for the row of a bulk job, and for that of an item, besides those of their values: what they take up
   * with their indexes, as measured.
   */
  bulkRowBytes: { job: 300, item: 128 },
  /** Bytes of JSON that the item of a row that failed keeps of it. */
  failedRow: 4096,
  /** Characters of a template's name. */
  templateName: 100,
  /** A logo: bytes of the file, pixels per side of a PNG, drawn elements of an SVG; different logos per workspace, those of its brand included. */
  logo: { bytes: 256 * 1024, side: 1024, elements: 5000, count: 1000 },
  /** A workspace's brand: its colors and logos, and characters of their names. */
  brand: { colors: 12, logos: 50, name: 60 },
  /** The `limit` of GET /developer/pages. */
  pageList: { default: 25, max: 100 },
  /**
   * A hosted page: characters of its title, a text and a label; blocks; fields of its form; options of a choice; bytes
   * of the whole as JSON. Small, because it is replicated to every edge.
   */
  page: { title: 200, text: 5000, label: 200, blocks: 50, fields: 20, options: 50, bytes: 32 * 1024 },
  /** Bytes of an image on a page. */
  pageImage: { bytes: 5 * 1024 * 1024 },
  /** A submission: characters of a single line and of longer text. */
  submission: { line: 500, text: 5000 },
  /** A form that people submit: its bytes, also if it has files, and its fields. Larger ones are answered 413. */
  form: { bytes: 128 * 1024, bytesWithFiles: 1024 * 1024, fields: 500 },
  /** The `limit` of GET …/submissions. */
  submissionList: { default: 50, max: 200 },
  /** An image: pixels per side, and modules of the quiet zone. */
  image: { size: { min: 64, max: 4096, default: 512 }, margin: { min: 0, max: 20, default: 4 } },
  /**
   * A design: characters of a frame's text; modules of a rounded background's radius and of the space around a logo; a
   * logo's longer side as a share of the code's.
   */
  design: { frameText: 40, backgroundRadius: 12, logoPadding: 4, logoSize: { min: 0.1, max: 0.4 } },
  /** The largest side of a PNG that the images Worker draws, which takes 50 MiB. */
  drawnPng: 2048,
  /**
   * A print: codes, labels with all copies, and captions of a label. Millimetres of a page's and of a label's sides, and
   * labels in a row or column; millimetres by which a printer may be off.
   */
  print: {
    ...{ codes: 100, labels: 2000, copies: 500, captions: 3 },
    ...{ page: { min: 10, max: 1200 }, label: { min: 5, max: 1200 }, labelsInLine: 100 },
    ...{ captionSize: { min: 1, max: 50, default: 2.5 }, padding: { max: 50, default: 1.5 } },
    ...{ dpi: { min: 72, max: 2400, default: 300 }, offset: 20, pitch: 2 },
  },
  /** An image for print: its longer side in millimetres, and dots per inch of a printer. */
  printedImage: { width: { min: 5, max: 2000, default: 50 }, dpi: { min: 72, max: 2400, default: 300 } },
  /** Images that a ZIP archive has at most. */
  archive: { codes: 100 },
  /** The largest side of a public PNG. Smaller, because drawing takes CPU time and public requests have no rate limit. */
  publicPng: 1024,
  /**
   * Scannability: the lowest score of a design that can be saved; addresses that are drawn while designing, and for a saved
   * design; characters of a hash.
   */
  scannability: { floor: 70, designing: 4, saved: 16, hashLength: { min: 4, max: 32, default: 8 } },
  /** The lowest contrast of dots and corners with the background, as a WCAG 2 ratio. */
  contrast: 3,
  /** The `limit` of GET …/deliveries. */
  deliveryList: { default: 50, max: 200 },
  /** Deliveries of a replay of all that failed. */
  replayDeliveries: 10_000,
  /** Characters of an Idempotency-Key, and how long its response is stored. */
  idempotency: { key: 255, milliseconds: 24 * 60 * 60 * 1000 },
  /** Characters of a key's name, and active keys per workspace. */
  keyName: 100,
  keys: 100,
  /** Codes that a publishable key can create in a day, and the count from which a notice is logged. */
  keyCreations: { cap: 1000, notice: 800 },
  /** Days for which a revoked key is kept. */
  revokedKeyDays: 90,
  /** Days after which a deleted code or page can no longer be restored, and its values are erased. */
  deletedDays: 30,
  /** Requests of a person in the dashboard a minute, if their plan has fewer for the API. */
  dashboardRequests: 300,
  /** Origins per publishable key, and characters per origin. */
  keyOrigins: { count: 20, length: 255 },
  /** The `limit` of the operator's lists. */
  operatorList: { default: 25, max: 100 },
  /** Blocked hosts of the installation; characters of a host and of the reason. */
  blockedHosts: { count: 5000, host: 253, reason: 500 },
  /** An abuse report: characters of its details and of the operator's note; open abuse reports of one code. */
  abuseReport: { details: 2000, note: 2000, openPerCode: 100 },
  /** Characters of a dead letter's message in a list. */
  deadLetterBody: 2000,
} as const;
