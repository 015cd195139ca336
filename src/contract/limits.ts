/** The limits that clients can run into. Other constants are next to the code that uses them. */
export const limits = {
  /** The `limit` of GET /qr. */
  qrList: { default: 25, max: 100 },
  /** The `limit` of GET /qr/{id}/scans. */
  scanList: { default: 50, max: 500 },
  /** Characters of the filters `os` and `browser` of GET /qr/{id}/scans. */
  scanName: 100,
  /** The days and reasons in `closed` of GET /qr/{id}/scans. */
  closedDays: 100,
  /** Codes that are listed as still scanned. */
  stillScanned: 100,
  /** Concurrent exports and downloads per workspace. */
  exports: 5,
  /** Live connections per workspace. */
  liveConnections: 20,
  /** Analytics: values per dimension, steps of a series, codes of a tag or folder, and days times codes of these. */
  dimensionItems: { default: 10, max: 500 },
  analytics: { points: 1100, codes: 1000, codeDays: 100_000 },
  /** Shared reports per workspace, and characters of their names. */
  sharedReports: 100,
  sharedReportName: 100,
  /** Passkeys of a person, and people who join with a passkey from one network, a day. */
  passkeys: { count: 20, joinsPerDay: 10 },
  /** People of a workspace, and invitations that can still be used. */
  members: 100,
  invitations: 50,
  /** Workspaces that a person owns, creates a day, and is a member of. */
  workspaces: { owned: 10, createdPerDay: 10, joined: 100 },
  /** People of a workspace that the operator sees. */
  operatorPeople: 100,
  /** Characters of a QR code's name. */
  name: 200,
  /** Characters of a QR code's `externalId`, as people count them. */
  externalId: 128,
  /**
   * Domains: characters of a host, and of one as it is typed, of the name for pages, and days after which a claim that was
   * not proved ends. A host is part of keys of at most 512 bytes.
   */
  domain: { host: 200, typed: 300, name: 100, claimDays: 7, checkMilliseconds: 60_000 },
  /** Aliases of a code, and bytes of an alias's path. */
  aliases: { count: 20, bytes: 255 },
  /** Characters of a campaign parameter in `utm`. */
  utm: 100,
  /** Characters of the reason of a suspension. */
  suspensionReason: 500,
  /** Characters of the service's name. */
  serviceName: 50,
  /** Characters of a workspace's name. */
  workspaceName: 100,
  /** Characters of a folder's name. */
  folderName: 100,
  /** The most codes counted for a folder, tag or logo, because counting reads them all. One more stands for "more". */
  countedCodes: 10_000,
  /** The most codes that a list sorts by what no index has, because sorting reads them all for each page. */
  sortedCodes: 10_000,
  /** The same by scans. */
  sortedByScans: 50_000,
  /** Saved lists of a workspace, and of a person in it; characters of their names. */
  savedLists: { workspace: 100, person: 50, name: 100 },
  /** Folders or hosted pages listed in a select of the dashboard. */
  choices: 200,
  /** Characters of a destination after normalisation. */
  destination: 2048,
  /**
   * The `data` of a QR code: characters of a single line and of longer text, entries of a list, bytes of the whole as
   * JSON. Small, because every edge gets a copy as part of the route.
   */
  data: { line: 200, text: 1000, list: 5, bytes: 4096 },
  /** Tags per QR code, and characters per tag. */
  tags: { count: 50, length: 100 },
  /** A free-form object (`advanced`, `colorConfig`): bytes as JSON, and levels of nesting. */
  freeForm: { bytes: 8 * 1024, depth: 32 },
  /** Parameters of a query, repeated ones included, at the API and of a public image. */
  parameters: 20,
  /** Bytes of a JSON request body; larger ones are answered 413. Also the characters of an item in a bulk request. */
  body: 1024 * 1024,
  /** The most fields and list entries in a JSON body or a bulk item. Free-form objects have their own limit. */
  bodyValues: { fields: 500, entries: 10_000 },
  /** The most fields and list entries in all items of a bulk request: enough for its most rows with all fields. */
  bulkValues: { fields: 500_000, entries: 1_000_000 },
  /**
   * A bulk request: rows, and bytes of its body. The body may have at most `rowBytes` per row that the plan allows,
   * about twice the size of the largest code.
   */
  bulk: { rows: 10_000, body: 16 * 1024 * 1024, rowBytes: 64 * 1024 },
  /**
   * The page of an import: rows, of which some are the table's first and some the first with each kind of problem;
   * bytes of them; columns at a time; characters of a cell, and of one that can be corrected.
   */
  shownTable: {
    ...{ rows: 100, firstRows: 20, linkedRows: 6, bytes: 40 * 1024 },
    ...{ columns: 30, length: 80, editable: 2200 },
  },
  /** Columns of a table: a CSV in a bulk request, or an import in the dashboard. */
  tableColumns: 100,
  /** Bytes of a table imported in the dashboard, whose form carries it from page to page. */
  importedTable: 4 * 1024 * 1024,
  /** Fields of that form: one per column and one per corrected cell. */
  importedFields: 5000,
  /**
   * A bulk update: codes it may match, ids in a request, codes shown by a dry run, bytes of the dashboard's form, which
   * contains as many ids. Codes that the dashboard examines before the start, and hosts it offers to replace. Codes
   * changed but not yet settled.
   */
  bulkUpdate: {
    ...{ codes: 100_000, ids: 10_000, samples: 10, failedRows: 100, formBytes: 512 * 1024 },
    ...{ examined: 2000, hosts: 20, unsettled: 1000, atOnce: 200 },
  },
  /** Bytes of a request of an agent. */
  agentBody: 1024 * 1024,
  /**
   * Changes that keys propose: codes that one creates and changes, and its fields and list entries; codes up to which
   * it is made as a whole or not at all; minutes in which the key, or a person, may confirm it; days for which it can
   * be read; bytes of a workspace's.
   */
  proposals: {
    ...{ creations: 100, changes: 10_000, values: 50_000, atomic: 1000 },
    ...{ minutes: 10, personMinutes: 24 * 60, days: 1, bytes: 8 * 1024 * 1024 },
  },
  /**
   * Things that wait for a person: how many of a kind are counted and listed; the share of a limit from which it is among
   * them; days for which a person puts something off, and how many things they can have put off.
   */
  waiting: { counted: 100, share: 0.8, postponedDays: 7, postponed: 300 },
  /** How often a change of a code is retried after conflicts, and for how many seconds a suspension is. */
  changeAttempts: { count: 8, suspensionSeconds: 30 },
  /** Days for which a completed bulk job's items, and the job itself, can be read. */
  bulkItemDays: 30,
  bulkJobDays: 365,
  /**
   * Bytes counted for the rows of a bulk job and of an item, besides their values: their measured size with indexes.
   */
  bulkRowBytes: { job: 300, item: 128 },
  /** Bytes of JSON that a failed row's item keeps. */
  failedRow: 4096,
  /** Ignored fields that a response names, and how many characters of each name. */
  ignoredFields: { count: 20, length: 40 },
  /** Characters of a template's name. */
  templateName: 100,
  /** A logo: bytes of the file, pixels per side of a PNG, drawn elements of an SVG; different logos per workspace, those of its brand included. Of the drawing made of an SVG: lines and curves, pixels of all pictures in it, and bytes. */
  logo: {
    ...{ bytes: 256 * 1024, side: 1024, elements: 5000, count: 1000 },
    ...{ segments: 20_000, pixels: 4_200_000, drawing: 512 * 1024 },
  },
  /** Where no bucket is set up, logos are in the catalogue: bytes of a file, and of all of a workspace. */
  logoInCatalogue: { bytes: 64 * 1024, all: 2 * 1024 * 1024 },
  /** A workspace's brand: its colors and logos, and characters of their names. */
  brand: { colors: 12, logos: 50, name: 60 },
  /** The `limit` of GET /developer/pages. */
  pageList: { default: 25, max: 100 },
  /**
   * A hosted page: characters of its title, a text and a label; blocks; form fields; options of a choice; bytes of the
   * whole as JSON. Small, because every edge gets a copy.
   */
  page: { title: 200, text: 5000, label: 200, blocks: 50, fields: 20, options: 50, bytes: 32 * 1024 },
  /** Bytes of an image on a page that is fetched from its host. */
  pageImage: { bytes: 5 * 1024 * 1024 },
  /**
   * Images of pages that are stored here: bytes of a file, small enough for a request's body in base64; different images
   * of a workspace, and the bytes of all; days that one is kept after a page last showed it, as long as a deleted page.
   */
  storedImage: { bytes: 700 * 1024, count: 1000, all: 100 * 1024 * 1024, days: 30 },
  /** A submission: characters of a single line and of longer text. */
  submission: { line: 500, text: 5000 },
  /** A form that people submit: bytes without and with files, and fields. Larger ones are answered 413. */
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
  /**
   * Measurements, PNGs and PDFs that a workspace can have drawn a minute, dry runs and bulk changes, in units of about
   * 10 ms of CPU time: ten measurements of a saved design.
   */
  heavyWork: 3200,
  /** The largest side of a PNG drawn by the images Worker, which takes 50 MiB. */
  drawnPng: 2048,
  /**
   * A print: codes, labels with all copies, and captions of a label. Millimetres of a page's and of a label's sides, and
   * labels in a row or column; millimetres by which a printer may be off.
   */
  print: {
    ...{ codes: 100, labels: 2000, copies: 500, captions: 3 },
    ...{ page: { min: 10, max: 1200 }, label: { min: 5, max: 1200 }, labelsInLine: 100 },
    ...{ captionSize: { min: 1, max: 50 }, padding: { max: 50, default: 1.5 } },
    ...{ dpi: { min: 72, max: 2400, default: 300 }, offset: 20, pitch: 2 },
  },
  /** An image for print: its longer side in millimetres, and dots per inch of a printer. */
  printedImage: { width: { min: 5, max: 2000, default: 50 }, dpi: { min: 72, max: 2400, default: 300 } },
  /** The most images in a ZIP archive. */
  archive: { codes: 100 },
  /**
   * A print job: codes, labels with all copies, labels of a sheet, and bytes of its file. A workspace: unfinished jobs,
   * jobs begun within a day, and bytes of files beyond which none begins. Hours for which a file, and days for which
   * the job itself can be read.
   */
  printJob: {
    ...{ codes: 10_000, labels: 100_000, labelsOnSheet: 500, bytes: 500 * 1024 * 1024 },
    ...{ unfinished: 5, perDay: 100, keptBytes: 2 * 1024 * 1024 * 1024, fileHours: 24, days: 30 },
  },
  /** The largest side of a public PNG. Smaller, because drawing takes CPU time and public requests have no rate limit. */
  publicPng: 1024,
  /**
   * Scannability: the lowest score of a design that can be saved, and the score from which the addresses drawn
   * while designing suffice; how many these are, and those for a saved design; how long saving measures; characters of
   * a hash.
   */
  scannability: {
    floor: 70,
    sure: 90,
    designing: 4,
    saved: 16,
    savingMilliseconds: 5000,
    hashLength: { min: 4, max: 32, default: 8 },
  },
  /** The lowest contrast of dots and corners with the background, as a WCAG 2 ratio. */
  contrast: 3,
  /**
   * The lowest symbol contrast of ISO/IEC 15415: the share of white paper's light that the background reflects more than
   * dots and corners. Lower it only for what was measured.
   */
  symbolContrast: 0.3,
  /** The `limit` of GET …/history. */
  historyList: { default: 50, max: 200 },
  /** The `limit` of GET …/deliveries. */
  deliveryList: { default: 50, max: 200 },
  /** Headers of a webhook's own, and the characters of their names and values. */
  webhookHeaders: { count: 10, name: 100, value: 1024 },
  /** Deliveries in a replay of all failed ones. */
  replayDeliveries: 10_000,
  /**
   * Characters of an Idempotency-Key, and how long its response is kept. Kept forms of a person, beyond which forms
   * with a response to show only once are refused.
   */
  idempotency: { key: 255, milliseconds: 24 * 60 * 60 * 1000, forms: 5000 },
  /** Characters of a key's name, and active keys per workspace. */
  keyName: 100,
  keys: 100,
  /**
   * Codes that a publishable key can create per day; the count from which a notice is logged; those of one network; and
   * the share of a plan's limits that publishable keys can fill.
   */
  keyCreations: { cap: 1000, notice: 800, network: 100, share: 0.8 },
  /** Days for which a revoked key is kept, and revoked keys of a workspace; days for which an expired key is listed. */
  revokedKeyDays: 90,
  revokedKeys: 100,
  expiredKeyDays: 30,
  /** Days until a deleted workspace is erased, and can be restored: if its codes stop at once, and if they keep working. */
  workspaceDeletion: { stop: 7, freeze: 90 },
  /** Hours for which a rotated key keeps working. */
  keyOverlapHours: { default: 24, max: 168 },
  /** Days during which a deleted code, page, folder or template can be restored. Its values are then erased. */
  deletedDays: 30,
  /** The `limit` of GET /developer/bin. */
  binList: { default: 25, max: 100 },
  /** The latest deleted folders, and deleted templates, of a workspace that can be restored. */
  deletedKept: 2000,
  /** A person's requests per minute in the dashboard, if their plan allows fewer for the API. */
  dashboardRequests: 300,
  /** Origins per publishable key, and characters per origin. */
  keyOrigins: { count: 20, length: 255 },
  /** The `limit` of the operator's lists. */
  operatorList: { default: 25, max: 100 },
  /** Blocked hosts of the installation; characters of a host and of the reason. */
  blockedHosts: { count: 5000, host: 253, reason: 500 },
  /**
   * An abuse report: characters of its details and of the operator's note. Open abuse reports that are stored of a code
   * or page, of a workspace and in all; further ones are counted. Days until an open one is deleted.
   */
  abuseReport: {
    link: 600,
    storedLink: 500,
    details: 1000,
    note: 2000,
    openPerCode: 5,
    openPerWorkspace: 100,
    openInAll: 5000,
    openDays: 90,
  },
  /** Characters of a dead letter's message shown in a list. */
  deadLetterBody: 2000,
} as const;

/** Returns whether a list is sorted by scans as they have been copied to the catalogue. */
export const isByTotals = (sort: string | undefined): boolean => sort === "scans" || sort === "lastScan";

/** Returns how many codes a list can have to be sorted. Rows of scans are short, so that there may be more. */
export const mostSorted = (sort: string): number =>
  isByTotals(sort) ? limits.sortedByScans : limits.sortedCodes;
