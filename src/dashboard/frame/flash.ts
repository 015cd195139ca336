/** The messages that confirm a change on the next page, by the cookie's value. */
export const flashes = {
  created: "Code created.",
  saved: "Changes saved. Scans follow them at once.",
  paused: "Code paused. Scans are no longer redirected.",
  resumed: "Code active again.",
  deleted: "Code deleted.",
  restored: "Code restored.",
  linkRevoked: "Link revoked. Its report can no longer be read.",
  undone: "Change undone.",
  nothingToUndo: "There was nothing to undo.",
  folderCreated: "Folder created.",
  folderRenamed: "Folder renamed.",
  folderDeleted: "Folder deleted. Its codes are kept.",
  folderRestored: "Folder restored, with its codes.",
  templateCreated: "Template created.",
  templateSaved: "Template saved. Codes keep their design until you apply it again.",
  templateDeleted: "Template deleted. Codes keep their design.",
  templateRestored: "Template restored.",
  pageCreated: "Page created.",
  pageSaved: "Page saved. Visitors see the changes at once.",
  pageDeleted: "Page deleted.",
  pageRestored: "Page restored. Its link works again.",
  submissionErased: "Submission erased, also from webhook deliveries.",
  submissionsErased: "Submissions erased, also from webhook deliveries.",
  submissionsErasedInPart: "Many submissions erased. Continue to erase the others.",
  colorAdded: "Colour added.",
  colorRemoved: "Colour removed. Codes keep their colours.",
  logoUploaded: "Logo uploaded. Every design offers it now.",
  logoAdded: "Logo added to the brand.",
  logoRenamed: "Logo renamed.",
  logoDeleted: "Logo deleted. Codes and templates that have it keep it.",
  passkeyAdded: "Passkey added. You can sign in with it.",
  passkeyRenamed: "Passkey renamed.",
  passkeyRemoved: "Passkey removed. It no longer signs you in.",
  deletionCancelled: "Deletion cancelled. Everything is as it was; webhooks stay paused.",
  sessionEnded: "Session ended. That browser has to sign in again.",
  keyRevoked: "Key revoked. Requests with it are refused.",
  webhookSaved: "Webhook saved.",
  webhookPaused: "Webhook paused. Its pending deliveries are skipped.",
  webhookResumed: "Webhook active again. It receives events from now on.",
  webhookDeleted: "Webhook deleted, with its deliveries.",
  replayed: "Delivery resent.",
  replayStarted: "Replay started.",
  replayStopped: "Replay stopped. Deliveries that were already sent may still arrive.",
  printCancelled: "Job cancelled.",
  printRemoved: "File removed.",
  settings: "Settings saved.",
  invitationRevoked: "Invitation revoked. Its link no longer works.",
  roleChanged: "Role changed. It applies from the next request on.",
  memberRemoved: "Member removed. Their next request is refused.",
  ownershipTransferred: "Ownership transferred. You are an admin now.",
  workspaceLeft: "You left the workspace.",
  workspaceCreated: "Workspace created.",
  planSet: "Plan changed. It applies from the next request on.",
  suspended: "Suspended. Scans get a generic page.",
  suspensionLifted: "Suspension lifted. Scans are answered again.",
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
  readonly name: FlashName;
  readonly undo?: { readonly path: string; readonly values: Readonly<Record<string, string>> } | undefined;
}

/** How to undo changes that have a form of their own for that. */
const undoPaths: Partial<Record<FlashName, (id: string) => string>> = {
  paused: (id) => `/dashboard/codes/${id}/resume`,
  resumed: (id) => `/dashboard/codes/${id}/pause`,
  deleted: (id) => `/dashboard/codes/${id}/restore`,
  folderDeleted: (id) => `/dashboard/folders/${id}/restore`,
  templateDeleted: (id) => `/dashboard/templates/${id}/restore`,
  pageDeleted: (id) => `/dashboard/pages/${id}/restore`,
};

/** Changes that are found in the history and undone there. */
const inHistory: readonly FlashName[] = ["saved", "undone", "folderRenamed", "templateSaved", "pageSaved"];

export const flashCookie = "notice";

/** How long a message waits for its page, milliseconds. */
export const flashMilliseconds = 30_000;

/** Returns the cookie's value. @param subject the id of the changed object @param requestId of the change */
export const writeFlash = (name: FlashName, subject?: string, requestId?: string | null): string =>
  subject === undefined ? name : [name, subject, ...(inHistory.includes(name) ? [requestId] : [])].join(".");

const isId = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f-]{36}$/.test(text);

/** Returns a cookie's message; undefined if it is unknown. */
export function readFlash(cookie: string | undefined): Flash | undefined {
  const [name = "", subject, requestId] = cookie?.split(".") ?? [];
  return isFlashName(name) ? { name, undo: undoOf(name, subject, requestId) } : undefined;
}

function undoOf(name: FlashName, subject: string | undefined, requestId: string | undefined): Flash["undo"] {
  if (!isId(subject)) return undefined;
  if (isId(requestId))
    return { path: "/dashboard/history/undo", values: { object: subject, request: requestId } };
  const path = undoPaths[name]?.(subject);
  return path === undefined ? undefined : { path, values: {} };
}

const isFlashName = (name: string): name is FlashName => Object.hasOwn(flashes, name);
