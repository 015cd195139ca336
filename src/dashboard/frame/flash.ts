/** The messages that confirm a change on the next page, by the cookie's value. */
const flashes = {
  created: "Code created.",
  saved: "Changes saved.",
  destinationSaved: "Changes saved. Every printed copy leads there now.",
  aliasAdded: "{} leads to this code now.",
  paused: "Code paused. Visitors see that it's paused.",
  resumed: "Code resumed.",
  deleted: "Code deleted.",
  restored: "Code restored.",
  itemsChanged: "{}",
  codesChanged: "{}",
  linkRevoked: "Link revoked. The report can't be opened any more.",
  undone: "Change undone.",
  proposalMade: "Change made.",
  proposalDeclined: "Change declined. Nothing was changed.",
  waitingPostponed: "Put off for a week.",
  waitingResumed: "Back in the list.",
  nothingToUndo: "There was nothing to undo.",
  folderCreated: "Folder created.",
  folderRenamed: "Folder renamed.",
  folderDeleted: "Folder deleted. Its codes are kept.",
  folderRestored: "Folder restored, with its codes.",
  listSaved: "List saved.",
  listChanged: "List changed.",
  listDeleted: "List deleted. Its codes stay as they are.",
  listRestored: "List restored.",
  domainAdded: "Domain added. Follow the steps below.",
  domainChecked: "Checked just now.",
  domainCheckedBefore: "Checked less than a minute ago. Try again in a minute.",
  domainCheckedLater: "Many domains are being checked. This one follows by itself within minutes.",
  domainSaved: "Domain saved.",
  domainRemoved: "Domain removed.",
  domainRestored: "Domain restored.",
  templateCreated: "Template created.",
  templateSaved: "Template saved. Codes keep their design until you apply it again.",
  templateDeleted: "Template deleted. Codes keep their design.",
  templateRestored: "Template restored.",
  pageCreated: "Page created.",
  pageSaved: "Page published. Visitors see the changes at once.",
  draftSaved: "Draft saved. Visitors don't see it yet.",
  draftDiscarded: "Draft discarded.",
  pageDeleted: "Page deleted.",
  pageRestored: "Page restored. Its link works again.",
  submissionErased: "Submission erased, also from webhook deliveries.",
  submissionsErased: "Submissions erased, also from webhook deliveries.",
  submissionsErasedInPart: "The first submissions are erased. Erase again for the rest.",
  colorAdded: "Colour added.",
  colorRemoved: "Colour removed. Codes keep their colours.",
  logoUploaded: "Logo added. You can use it in every design.",
  logoAdded: "Logo added to the brand.",
  logoRenamed: "Logo renamed.",
  logoDeleted: "Logo deleted. Codes and templates that use it stay as they are.",
  passkeyAdded: "Passkey added. You can sign in with it.",
  passkeyRenamed: "Passkey renamed.",
  passkeyRemoved: "Passkey removed. You can't sign in with it any more.",
  deletionCancelled: "Deletion cancelled. Resume your webhooks when you're ready.",
  sessionEnded: "Signed out on that device.",
  keyChanged: "Key changed. Edges follow within ten seconds.",
  keyRevoked: "Key revoked. It has stopped working.",
  webhookSaved: "Webhook saved.",
  webhookPaused: "Webhook paused. Its pending deliveries are skipped.",
  webhookResumed: "Webhook resumed. It receives events from now on.",
  webhookDeleted: "Webhook deleted, with its deliveries.",
  alertsSaved: "Address for alerts saved.",
  alertTested: "Test alert sent. Its result is below in a moment.",
  alertsRemoved: "Address for alerts removed.",
  replayed: "Delivery resent.",
  replayStarted: "Replay started.",
  replayStopped: "Replay stopped. Deliveries that were already sent may still arrive.",
  printCancelled: "Job cancelled.",
  printRemoved: "File removed.",
  settings: "Settings saved.",
  invitationRevoked: "Invitation revoked. Its link no longer works.",
  roleChanged: "{} now.",
  codeErased: "The code was erased.",
  memberRemoved: "{} was removed and has lost access.",
  ownershipTransferred: "Ownership transferred. You are an admin now.",
  workspaceLeft: "You left the workspace.",
  workspaceCreated: "Workspace created.",
  planSet: "Plan changed. It applies at once.",
  suspended: "Suspended. Visitors see a neutral page.",
  suspensionLifted: "Suspension lifted. Scans work again.",
  reportDismissed: "Abuse report dismissed.",
  reportActedOn: "Abuse report closed: acted on.",
  hostBlocked: "Host blocked. It can't be a new destination.",
  hostUnblocked: "Host unblocked.",
  letterRetried: "Message put back on its queue.",
  lettersRetried: "Messages put back on their queue.",
} as const;

export type FlashName = keyof typeof flashes;

/** A message, with the form that undoes the change, if there is one. */
export interface Flash {
  readonly text: string;
  readonly undo?: { readonly path: string; readonly values: Readonly<Record<string, string>> } | undefined;
}

/** How to undo changes that have a form of their own for that. */
const undoPaths: Partial<Record<FlashName, (id: string) => string>> = {
  paused: (id) => `/dashboard/codes/${id}/resume`,
  resumed: (id) => `/dashboard/codes/${id}/pause`,
  deleted: (id) => `/dashboard/codes/${id}/restore`,
  codesChanged: (id) => `/dashboard/jobs/${id}/undo`,
  folderDeleted: (id) => `/dashboard/folders/${id}/restore`,
  listDeleted: (id) => `/dashboard/lists/${id}/restore`,
  domainRemoved: (id) => `/dashboard/domains/${id}/restore`,
  templateDeleted: (id) => `/dashboard/templates/${id}/restore`,
  pageDeleted: (id) => `/dashboard/pages/${id}/restore`,
};

/** Changes that are found in the history and undone there. */
const inHistory: readonly FlashName[] = [
  "saved",
  "destinationSaved",
  "undone",
  "folderRenamed",
  "listChanged",
  "domainSaved",
  "templateSaved",
  "pageSaved",
];

export const flashCookie = "notice";

/** How long a message waits for its page, milliseconds. */
export const flashMilliseconds = 30_000;

/** The subject of a message. */
export interface FlashSubject {
  /** The id of the changed object, whose change can be undone. */
  readonly subject?: string | undefined;
  /** Of the change. */
  readonly requestId?: string | null;
  /** Stands in the message in place of `{}`. */
  readonly about?: string | undefined;
}

/** Returns the cookie's value. */
export function writeFlash(name: FlashName, { subject, requestId, about }: FlashSubject): string {
  if (about !== undefined) return [name, subject ?? "", "", encodeURIComponent(about)].join(".");
  return subject === undefined
    ? name
    : [name, subject, ...(inHistory.includes(name) ? [requestId] : [])].join(".");
}

const isId = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f-]{36}$/.test(text);

/** Returns a cookie's message; undefined if it is unknown. */
export function readFlash(cookie: string | undefined): Flash | undefined {
  const [name = "", subject, requestId, ...about] = cookie?.split(".") ?? [];
  if (!isFlashName(name)) return undefined;
  const text = flashes[name].replace("{}", () => decoded(about.join(".")));
  return { text, undo: undoOf(name, subject, requestId) };
}

/** Decodes a part of the cookie; returns an empty text for a malformed one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function undoOf(name: FlashName, subject: string | undefined, requestId: string | undefined): Flash["undo"] {
  if (!isId(subject)) return undefined;
  if (isId(requestId))
    return { path: "/dashboard/history/undo", values: { object: subject, request: requestId } };
  const path = undoPaths[name]?.(subject);
  return path === undefined ? undefined : { path, values: {} };
}

const isFlashName = (name: string): name is FlashName => Object.hasOwn(flashes, name);
