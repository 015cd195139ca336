import type { Answers, Submission } from "../../contract/resources/pages.ts";
import { timeOfId } from "../../lib/text/ids.ts";

/** A submission as it arrives. */
export interface NewSubmission {
  /** A UUIDv7: identity and time in one. */
  readonly id: string;
  readonly pageId: string;
  /** The same for what is posted twice. */
  readonly fingerprint: string;
  readonly fields: Answers;
}

type SubmissionRow = { id: string; fields: string };

/** What people sent with the forms of hosted pages. */
export class LedgerSubmissions {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Writes a submission down. @returns whether it was new: what is posted twice changes nothing */
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

  /** A page's submissions after or before the id `from`; null for the beginning. */
  list(pageId: string, order: "oldest" | "newest", from: string | null, limit: number): Submission[] {
    const [beyond, direction] = order === "oldest" ? [">", "ASC"] : ["<", "DESC"];
    return this.#sql
      .exec<SubmissionRow>(
        `SELECT id, fields FROM submissions WHERE page_id = ?1 AND (?2 IS NULL OR id ${beyond} ?2)
         ORDER BY id ${direction} LIMIT ?3`,
        pageId,
        from,
        limit,
      )
      .toArray()
      .map(present);
  }

  /** Names of all fields that a page's submissions ever had, in the order they came up. */
  fieldNames(pageId: string): string[] {
    return this.#sql
      .exec<{ name: string }>("SELECT name FROM submission_fields WHERE page_id = ? ORDER BY ref", pageId)
      .toArray()
      .map(({ name }) => name);
  }

  /** @returns whether there was one */
  remove(pageId: string, id: string): boolean {
    return (
      this.#sql
        .exec("DELETE FROM submissions WHERE id = ? AND page_id = ? RETURNING id", id, pageId)
        .toArray().length > 0
    );
  }
}

const present = ({ id, fields }: SubmissionRow): Submission => ({
  id,
  submittedAt: new Date(timeOfId(id)).toISOString(),
  fields: JSON.parse(fields) as Answers,
});
