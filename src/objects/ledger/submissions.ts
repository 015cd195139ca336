import type { Answers, Submission } from "../../contract/resources/pages.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import type { NewSubmission, SubmissionPage } from "../../protocol/workspace-ledger.ts";
import { isoTime } from "./times.ts";

type SubmissionRow = { id: string; fields: string };

/**
 * Characters of the answers after which a page ends. A submission has up to 200 000, and a page is sent in one call,
 * which takes 32 MiB.
 */
const pageCharacters = 2_000_000;

/** The submissions of hosted pages' forms, and the names of the fields that each page ever had. */
export class LedgerSubmissions {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores a submission. @returns whether it was new: one that is posted twice changes nothing */
  add({ id, pageId, fingerprint, fields }: NewSubmission): boolean {
    const added = this.#sql
      .exec(
        `INSERT INTO submissions (id, page_id, fingerprint, fields) VALUES (?, ?, ?, ?)
         ON CONFLICT (page_id, fingerprint) DO NOTHING RETURNING id`,
        id,
        pageId,
        fingerprint,
        JSON.stringify(fields),
      )
      .toArray();
    if (added.length === 0) return false;
    this.#sql.exec(
      `INSERT INTO submission_fields (page_id, name) SELECT ?, value FROM json_each(?) WHERE true
       ON CONFLICT (page_id, name) DO NOTHING`,
      pageId,
      JSON.stringify(Object.keys(fields)),
    );
    return true;
  }

  /**
   * A page's submissions in this order.
   * @param after the id of the previous page's last one; null for the first page
   * @param limit submissions at most; large ones end the page earlier
   */
  list(pageId: string, order: "oldest" | "newest", after: string | null, limit: number): SubmissionPage {
    const [comparison, direction] = order === "oldest" ? [">", "ASC"] : ["<", "DESC"];
    const range = after === null ? "" : `AND id ${comparison} ?`;
    const rows = this.#sql.exec<SubmissionRow>(
      `SELECT id, fields FROM submissions WHERE page_id = ? ${range} ORDER BY id ${direction} LIMIT ?`,
      pageId,
      ...(after === null ? [] : [after]),
      limit + 1,
    );
    const items: Submission[] = [];
    let characters = 0;
    for (const row of rows) {
      if (items.length === limit || characters >= pageCharacters) return { items, more: true };
      items.push(presentSubmission(row));
      characters += row.fields.length;
    }
    return { items, more: false };
  }

  /** Names of all fields that a page's submissions ever had, in order of first use. */
  fieldNames(pageId: string): string[] {
    return this.#sql
      .exec<{ name: string }>("SELECT name FROM submission_fields WHERE page_id = ? ORDER BY ref", pageId)
      .toArray()
      .map(({ name }) => name);
  }

  /** @returns whether the submission existed */
  remove(pageId: string, id: string): boolean {
    return (
      this.#sql
        .exec("DELETE FROM submissions WHERE id = ? AND page_id = ? RETURNING id", id, pageId)
        .toArray().length > 0
    );
  }
}

const presentSubmission = ({ id, fields }: SubmissionRow): Submission => ({
  id,
  submittedAt: isoTime(timeOfId(id)),
  fields: JSON.parse(fields) as Answers,
});
