import type { Answers, Submission } from "../../../contract/resources/pages.ts";
import { foldCase } from "../../../lib/text/fold-case.ts";
import { idAt, timeOfId } from "../../../lib/text/ids.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { EventOf } from "../../../protocol/events.ts";
import type { ErasedSubmissions, NewSubmission, SubmissionPage } from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import { isoTime } from "../times.ts";

type SubmissionRow = { id: string; fields: string };

/**
 * How many senders of earlier days are removed with each new submission: more than one, so that they can't accumulate.
 */
const sendersRemovedAtOnce = 100;

/** How many submissions are read to count them by day. */
const datedSubmissions = 10_000;

/** The submissions of hosted pages' forms, and the names of all fields that each page ever had. */
export class LedgerSubmissions extends LedgerPart<{ sql: SqlStorage }> {
  /**
   * Stores a submission, unless it is a repeated post, its page is full, or its sender has sent too many today.
   * @param now epoch milliseconds
   */
  add(submission: NewSubmission, now: number): "stored" | "repeated" | "closed" | "limited" {
    const { pageId, fingerprint, sender, site } = submission;
    if (this.#isStored(pageId, fingerprint)) return "repeated";
    if (this.isFull(pageId)) return "closed";
    const day = Math.floor(now / dayLength);
    const senders = [{ sender, times: 1 }, ...(site === undefined ? [] : [site])];
    const isLimited = senders.some(
      (each) => this.#sent(day, pageId, each.sender) >= each.times * bounds.submissionsPerDay,
    );
    if (isLimited) return "limited";
    this.#insert(submission);
    this.#count(
      day,
      pageId,
      senders.map((each) => each.sender),
    );
    return "stored";
  }

  /** Returns whether the page has reached its limit of submissions. */
  isFull(pageId: string): boolean {
    return this.count(pageId) >= bounds.submissions;
  }

  /** Counts the page's submissions. */
  count(pageId: string): number {
    const [row] = this.parts.sql
      .exec<{ n: number }>("SELECT submissions AS n FROM submission_counts WHERE page_id = ?", pageId)
      .toArray();
    return row?.n ?? 0;
  }

  /**
   * Counts the page's newest submissions by day.
   * @param starts of the days, in order; the last one goes on
   * @returns a number for each day that was read whole, ending with the last one: fewer if there are too many
   */
  byDay(pageId: string, starts: readonly number[]): number[] {
    const [first = 0] = starts;
    const ids = this.parts.sql.exec<{ id: string }>(
      "SELECT id FROM submissions WHERE page_id = ? AND id >= ? ORDER BY id DESC LIMIT ?",
      pageId,
      idAt(first),
      datedSubmissions,
    );
    const counts = starts.map(() => 0);
    let [read, day] = [0, starts.length - 1];
    for (const { id } of ids) {
      read += 1;
      while (day > 0 && timeOfId(id) < (starts[day] ?? 0)) day -= 1;
      counts[day] = (counts[day] ?? 0) + 1;
    }
    return read < datedSubmissions ? counts : counts.slice(day + 1);
  }

  #isStored(pageId: string, fingerprint: string): boolean {
    return (
      this.parts.sql
        .exec("SELECT 1 FROM submissions WHERE page_id = ? AND fingerprint = ?", pageId, fingerprint)
        .toArray().length > 0
    );
  }

  #sent(day: number, pageId: string, sender: string): number {
    const [row] = this.parts.sql
      .exec<{ n: number }>(
        "SELECT submissions AS n FROM submission_senders WHERE day = ? AND page_id = ? AND sender = ?",
        day,
        pageId,
        sender,
      )
      .toArray();
    return row?.n ?? 0;
  }

  #insert({ id, pageId, fingerprint, fields }: NewSubmission): void {
    this.parts.sql.exec(
      "INSERT INTO submissions (id, page_id, fingerprint, fields) VALUES (?, ?, ?, ?)",
      id,
      pageId,
      fingerprint,
      JSON.stringify(fields),
    );
    this.parts.sql.exec(
      `INSERT INTO submission_fields (page_id, name) SELECT ?, value FROM json_each(?) WHERE true
       ON CONFLICT (page_id, name) DO NOTHING`,
      pageId,
      JSON.stringify(Object.keys(fields)),
    );
  }

  #count(day: number, pageId: string, senders: readonly string[]): void {
    this.parts.sql.exec(
      `INSERT INTO submission_counts (page_id, submissions) VALUES (?, 1)
       ON CONFLICT (page_id) DO UPDATE SET submissions = submissions + 1`,
      pageId,
    );
    this.parts.sql.exec(
      `INSERT INTO submission_senders (day, page_id, sender, submissions) SELECT ?, ?, value, 1 FROM json_each(?) WHERE true
       ON CONFLICT (day, page_id, sender) DO UPDATE SET submissions = submissions + 1`,
      day,
      pageId,
      JSON.stringify(senders),
    );
    this.parts.sql.exec(
      `DELETE FROM submission_senders WHERE (day, page_id, sender) IN
         (SELECT day, page_id, sender FROM submission_senders WHERE day < ? LIMIT ?)`,
      day,
      sendersRemovedAtOnce,
    );
  }

  /**
   * Returns a page's submissions in the given order. Reads at most `bounds.searchedSubmissions`, so a search that
   * matches few may return a short page; `next` continues after the last submission read.
   * @param after the id of the previous page's last one; null for the first page
   * @param limit maximum number of submissions; large submissions end the page earlier
   * @param contains text that one of the answers must contain, ignoring case; null for any
   */
  list(
    pageId: string,
    order: "oldest" | "newest",
    after: string | null,
    limit: number,
    contains: string | null = null,
  ): SubmissionPage {
    const wanted = contains === null ? null : foldCase(contains);
    const [comparison, direction] = order === "oldest" ? [">", "ASC"] : ["<", "DESC"];
    const range = after === null ? "" : `AND id ${comparison} ?`;
    const rows = this.parts.sql.exec<SubmissionRow>(
      `SELECT id, fields FROM submissions WHERE page_id = ? ${range} ORDER BY id ${direction} LIMIT ?`,
      pageId,
      ...(after === null ? [] : [after]),
      (wanted === null ? limit : bounds.searchedSubmissions) + 1,
    );
    const items: Submission[] = [];
    let [read, characters] = [0, 0];
    let next: string | null = null;
    for (const row of rows) {
      // This submission shows that there is another page.
      const isFull = items.length === limit || read === bounds.searchedSubmissions;
      if (isFull || characters >= bounds.searchedCharacters) return { items, next };
      read += 1;
      characters += row.fields.length;
      next = row.id;
      const submission = presentSubmission(row);
      if (wanted === null || isFound(submission, wanted)) items.push(submission);
    }
    return { items, next: null };
  }

  /** Returns one submission of a page. */
  find(pageId: string, id: string): Submission | undefined {
    return this.parts.sql
      .exec<SubmissionRow>("SELECT id, fields FROM submissions WHERE id = ? AND page_id = ?", id, pageId)
      .toArray()
      .map(presentSubmission)[0];
  }

  /** Returns the ids of submissions to erase. @returns `next` as in a list */
  idsOf(pageId: string, which: ErasedSubmissions): { ids: readonly string[]; next: string | null } {
    if ("ids" in which) return { ids: which.ids, next: null };
    const { items, next } = this.list(pageId, "newest", which.after, which.limit, which.contains);
    return { ids: items.map(({ id }) => id), next };
  }

  /** Returns the names of all fields that a page's submissions ever had, in order of first use. */
  fieldNames(pageId: string): string[] {
    return this.parts.sql
      .exec<{ name: string }>("SELECT name FROM submission_fields WHERE page_id = ? ORDER BY ref", pageId)
      .toArray()
      .map(({ name }) => name);
  }

  /** @returns whether the submission existed */
  remove(pageId: string, id: string): boolean {
    const removed = this.parts.sql
      .exec("DELETE FROM submissions WHERE id = ? AND page_id = ? RETURNING id", id, pageId)
      .toArray();
    if (removed.length === 0) return false;
    this.parts.sql.exec(
      "UPDATE submission_counts SET submissions = submissions - 1 WHERE page_id = ?",
      pageId,
    );
    return true;
  }
}

const presentSubmission = ({ id, fields }: SubmissionRow): Submission => ({
  id,
  submittedAt: isoTime(timeOfId(id)),
  fields: JSON.parse(fields) as Answers,
});

/** Returns whether an answer contains a text. @param wanted the case-folded text */
const isFound = ({ fields }: Submission, wanted: string): boolean =>
  Object.values(fields).some((answer) => typeof answer === "string" && foldCase(answer).includes(wanted));

/** Creates the event of a submission, with the submission's id. */
export function submittedEvent({ id, pageId, fields }: NewSubmission): EventOf<"page.submitted"> {
  const at = timeOfId(id);
  return {
    id,
    kind: "page.submitted",
    at,
    data: { pageId, submissionId: id, submittedAt: isoTime(at), fields },
  };
}
