/** The messages that confirm a change on the next page, by the value of the cookie that carries them. */
export const flashes = {
  created: "The code has been created.",
  saved: "The changes have been saved. Scans follow them at once.",
  paused: "The code is paused. Scans are no longer redirected.",
  resumed: "The code is active again.",
  deleted: "The code has been deleted.",
  restored: "The code is back, as it was.",
  linkEnded: "The link has ended. Its report can no longer be read.",
  folderCreated: "The folder has been created.",
  folderRenamed: "The folder has a new name.",
  folderDeleted: "The folder has been deleted. Its codes are still there.",
  templateCreated: "The template has been created.",
  templateSaved: "The template has been saved. Codes keep their design until you apply it again.",
  templateDeleted: "The template has been deleted. Codes keep their design.",
  pageCreated: "The page has been created.",
  pageSaved: "The changes have been saved. Everyone who opens the page sees them at once.",
  pageDeleted: "The page has been deleted.",
  submissionErased: "The submission has been erased, also from the deliveries of webhooks.",
  submissionsErased: "The submissions have been erased, also from the deliveries of webhooks.",
  submissionsErasedInPart: "Many submissions have been erased. Continue to erase the others.",
  logoUploaded: "The logo has been uploaded. Choose it in a template.",
  logoRemoved: "The logo has been removed from its templates.",
  keyRevoked: "The key is revoked. Requests with it are refused.",
  webhookSaved: "The webhook has been saved.",
  webhookPaused: "The webhook is paused. Its pending deliveries are skipped.",
  webhookResumed: "The webhook is active again. It gets the events that happen from now on.",
  webhookDeleted: "The webhook has been deleted, with its deliveries.",
  replayed: "The delivery is on its way once more.",
  replayStarted: "The replay has begun.",
  replayStopped: "The replay is stopped. Deliveries that were on their way are still sent.",
  settings: "Your settings have been saved.",
} as const;

export type FlashName = keyof typeof flashes;

export const flashCookie = "notice";

/** How long a notice waits for its page, milliseconds. */
export const flashMilliseconds = 30_000;

/** The notice of a cookie; undefined for none that is known. */
export const readFlash = (cookie: string | undefined): FlashName | undefined =>
  cookie !== undefined && Object.hasOwn(flashes, cookie) ? (cookie as FlashName) : undefined;
