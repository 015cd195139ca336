import { fieldWord } from "../../contract/resources/history/field-names.ts";
import type { HistoryAction, HistoryEntry } from "../../contract/resources/history/history.ts";
import { formatCount } from "../../ui/values/format.ts";
import { type Names, nameIn } from "../bulk/change-facts.tsx";
import { historyKinds } from "./kinds.ts";

/** The words of an action, before and after the name of the object. */
export type Phrase = readonly [before: string, after?: string];

type Words = Phrase | ((entry: HistoryEntry, names: Names) => Phrase);

const codes = {
  "code.created": ["created the code"],
  "code.updated": wordsOfUpdate,
  "code.deleted": ["deleted the code"],
  "code.restored": ["restored the code"],
  "code.suspended": ["suspended the code"],
  "code.unsuspended": ["lifted the suspension of the code"],
  "code.erased": ["erased the deleted code"],
  "code.scans_erased": ["erased the scans of"],
  "job.created": ({ object, changes }) => {
    const codes = changes.codes?.after;
    const started = object.name === null ? "started" : "started the import";
    return typeof codes === "number" ? [started, `of ${formatCount(codes, "code")}`] : [started];
  },
} as const satisfies Record<string, Words>;

const aroundCodes = {
  "folder.created": ["created the folder"],
  "folder.updated": wordsOfUpdate,
  "folder.deleted": ["deleted the folder"],
  "folder.restored": ["restored the folder"],
  "domain.created": ["added the domain"],
  "domain.updated": wordsOfUpdate,
  "domain.deleted": ["removed the domain"],
  "domain.restored": ["restored the domain"],
  "domain.suspended": ["suspended the domain"],
  "domain.unsuspended": ["lifted the suspension of the domain"],
  "saved_list.created": ["saved the list"],
  "saved_list.updated": wordsOfUpdate,
  "saved_list.deleted": ["deleted the saved list"],
  "saved_list.restored": ["restored the saved list"],
  "template.created": ["created the template"],
  "template.updated": wordsOfUpdate,
  "template.deleted": ["deleted the template"],
  "template.restored": ["restored the template"],
  "page.created": ["created the page"],
  "page.updated": wordsOfUpdate,
  "page.deleted": ["deleted the page"],
  "page.restored": ["restored the page"],
  "page.suspended": ["suspended the page"],
  "page.unsuspended": ["lifted the suspension of the page"],
  "page.submissions_erased": ({ changes }) => {
    const count = changes.submissions?.before;
    const what = typeof count === "number" ? formatCount(count, "submission") : "submissions";
    return [`erased ${what} of the page`];
  },
  "shared_report.created": ["created a link to"],
  "shared_report.replaced": ["replaced the link to"],
  "shared_report.revoked": ["revoked the link to"],
} as const satisfies Record<string, Words>;

const settings = {
  "webhook.created": ["created the webhook to"],
  "webhook.updated": (entry, names) =>
    entry.changes.status === undefined
      ? wordsOfUpdate(entry, names)
      : [entry.changes.status.after === "paused" ? "paused the webhook to" : "resumed the webhook to"],
  "webhook.rotated": ["rotated the secret of the webhook to"],
  "webhook.deleted": ["deleted the webhook to"],
  "key.created": ["created the API key"],
  "key.updated": ["changed the API key"],
  "key.rotated": ["rotated the API key"],
  "key.revoked": ["revoked the API key"],
  "brand.updated": wordsOfUpdate,
  "logo.created": ["added the logo", "to the brand"],
  "logo.updated": wordsOfUpdate,
  "logo.deleted": ["deleted the logo"],
  "workspace.updated": wordsOfUpdate,
  "workspace.suspended": ["suspended the workspace"],
  "workspace.unsuspended": ["lifted the suspension of the workspace"],
  "workspace.deletion_requested": ["requested the deletion of the workspace"],
  "workspace.deletion_cancelled": ["cancelled the deletion of the workspace"],
  "member.joined": (entry) =>
    isAboutActor(entry) ? ["joined the workspace"] : ["added", "to the workspace"],
  "member.role_changed": ["changed the role of"],
  "member.removed": (entry) =>
    isAboutActor(entry) ? ["left the workspace"] : ["removed", "from the workspace"],
  "invitation.created": ["invited"],
  "invitation.revoked": ["revoked the invitation of"],
} as const satisfies Record<string, Words>;

/** Every action in plain words, which follow the name of who did it. */
const actionWords: Readonly<Record<HistoryAction, Words>> = { ...codes, ...aroundCodes, ...settings };

/** Returns whether people changed something about themselves, which needs no name. */
export function isAboutActor({ actor, object }: HistoryEntry): boolean {
  return object.kind === "member" && object.id === actor.id;
}

/** Returns what an entry's actor did, in plain words. */
export function phraseOf(entry: HistoryEntry, names: Names): Phrase {
  const words = actionWords[entry.action];
  return typeof words === "function" ? words(entry, names) : words;
}

/** How many fields a sentence names. */
const namedFields = 3;

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** Names what changed: in its own words if it is one field, else by the fields. */
function wordsOfUpdate(entry: HistoryEntry, names: Names): Phrase {
  const fields = Object.keys(entry.changes);
  const words = [...new Set(fields.map((field) => fieldWord(entry.object.kind, field)))];
  const named =
    words.length > namedFields
      ? [...words.slice(0, namedFields - 1), `${words.length - namedFields + 1} more fields`]
      : words;
  const { noun } = historyKinds[entry.object.kind];
  const object = noun === "" ? "" : ` the ${noun}`;
  const what = named.length === 0 ? object : ` the ${list.format(named)} of${object}`;
  if (entry.revertOf !== null) return [`restored${what}`];
  const [only] = fields;
  const single =
    fields.length === 1 && only !== undefined ? wordsOfField(only, entry, names, object) : undefined;
  return single ?? [`changed${what}`];
}

/**
 * Returns the words for a change of one field; undefined if it has none of its own. @param object its kind, after a
 * space
 */
function wordsOfField(field: string, entry: HistoryEntry, names: Names, object: string): Phrase | undefined {
  const { before, after } = entry.changes[field] ?? {};
  if (entry.object.kind === "domain") {
    return field === "status" ? [`${after === "active" ? "activated" : "deactivated"}${object}`] : undefined;
  }
  switch (field) {
    case "name":
    case "title":
      return typeof before === "string" && typeof after === "string"
        ? [`renamed${object} ${before} to`]
        : undefined;
    case "status":
      return [after === "paused" ? `paused${object}` : `resumed${object}`];
    case "data":
      return isAddress(before) && isAddress(after) ? ["changed the destination of"] : undefined;
    case "folderId":
      return typeof after === "string"
        ? ["moved", `to the folder ${nameIn(names.folders, after)}`]
        : ["took", "out of its folder"];
    default:
      return undefined;
  }
}

/** Returns whether a code's data is an address. */
const isAddress = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "type" in data && data.type === "url";
