-- Triggers run in the transaction of the change, so that every statement that writes keeps what they maintain correct, and
-- a crash right after it loses nothing.

-- Every workspace's bytes are bounded, since all share one database. The bytes of a row are those of its values as UTF-8,
-- and a fixed number for the rest of the row and its place in the indexes, as measured: 300 for a code, 380 more for one
-- that is not deleted, 200 for each of its tags, which are stored three times, and 250 for a page or a template.
ALTER TABLE qr_codes ADD COLUMN bytes integer GENERATED ALWAYS AS (
  300 + iif(deleted_at IS NULL, 380 + 200 * json_array_length(tags) + 2 * length(CAST(tags AS BLOB))
    + coalesce(length(CAST(name AS BLOB)), 0), 0)
  + coalesce(length(CAST(name AS BLOB)), 0) + coalesce(length(CAST(name_folded AS BLOB)), 0) + length(CAST(data AS BLOB)) + length(CAST(tags AS BLOB))
  + coalesce(length(CAST(color_config AS BLOB)), 0) + coalesce(length(CAST(advanced AS BLOB)), 0)
  + coalesce(length(CAST(fallback_url AS BLOB)), 0) + coalesce(length(CAST(utm AS BLOB)), 0)) VIRTUAL;
--> statement-breakpoint
ALTER TABLE pages ADD COLUMN bytes integer GENERATED ALWAYS AS (
  250 + length(CAST(content AS BLOB)) + 2 * length(CAST(title_folded AS BLOB))) VIRTUAL;
--> statement-breakpoint
ALTER TABLE templates ADD COLUMN bytes integer GENERATED ALWAYS AS (
  250 + length(CAST(name AS BLOB)) + coalesce(length(CAST(color_config AS BLOB)), 0)) VIRTUAL;
--> statement-breakpoint
-- What would exceed the limit is refused, whichever statement tries: a new code is left out, so that the others of its
-- statement are created; anything else that grows fails, with its whole transaction. What shrinks always passes.
CREATE TRIGGER workspaces_full AFTER UPDATE OF stored_bytes ON workspaces
WHEN NEW.stored_bytes > OLD.stored_bytes AND NEW.stored_bytes + NEW.job_bytes > NEW.storage_limit BEGIN
  SELECT RAISE(ABORT, 'workspace storage is full');
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_without_room BEFORE INSERT ON qr_codes
WHEN (SELECT stored_bytes + job_bytes + NEW.bytes > storage_limit FROM workspaces WHERE id = NEW.workspace_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- Creations and restorations of the day are counted beside the live codes. A clock that lags counts in the day that has
-- begun already.
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1, stored_bytes = stored_bytes + NEW.bytes,
    creations = iif(NEW.created_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.created_at / 86400000)
  WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_deleted AFTER UPDATE OF deleted_at ON qr_codes
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE workspaces SET live_codes = live_codes - 1 WHERE id = NEW.workspace_id;
  DELETE FROM qr_tags WHERE qr_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_restored AFTER UPDATE OF deleted_at ON qr_codes
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1,
    creations = iif(NEW.updated_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.updated_at / 86400000)
  WHERE id = NEW.workspace_id;
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_resized
AFTER UPDATE OF name, name_folded, data, tags, color_config, advanced, fallback_url, utm, deleted_at ON qr_codes
WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes - OLD.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER pages_created AFTER INSERT ON pages BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER pages_resized AFTER UPDATE OF content, title_folded ON pages WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes - OLD.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER templates_created AFTER INSERT ON templates BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER templates_resized AFTER UPDATE OF name, color_config ON templates WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes - OLD.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER templates_deleted AFTER DELETE ON templates BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes - OLD.bytes WHERE id = OLD.workspace_id;
END;
--> statement-breakpoint
-- A job's bytes are a plain column, since a trigger for each of its items would write the workspace once more for each.
CREATE TRIGGER bulk_jobs_created AFTER INSERT ON bulk_jobs BEGIN
  UPDATE workspaces SET job_bytes = job_bytes + NEW.stored_bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER bulk_jobs_resized AFTER UPDATE OF stored_bytes ON bulk_jobs WHEN NEW.stored_bytes <> OLD.stored_bytes BEGIN
  UPDATE workspaces SET job_bytes = job_bytes + NEW.stored_bytes - OLD.stored_bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER bulk_jobs_deleted AFTER DELETE ON bulk_jobs BEGIN
  UPDATE workspaces SET job_bytes = job_bytes - OLD.stored_bytes WHERE id = OLD.workspace_id;
END;
--> statement-breakpoint
-- The rows of the tag filter. Only the tags that differ are written: a code with many tags that gets another one costs a
-- row, not all of them.
CREATE TRIGGER qr_codes_tagged AFTER INSERT ON qr_codes WHEN NEW.tags <> '[]' BEGIN
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_retagged AFTER UPDATE OF tags ON qr_codes
WHEN NEW.tags <> OLD.tags AND NEW.deleted_at IS NULL BEGIN
  DELETE FROM qr_tags WHERE qr_id = NEW.id AND tag NOT IN (SELECT value FROM json_each(NEW.tags));
  INSERT OR IGNORE INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
-- A changed route, page or suspension is pending until it has reached every feed and the route cache.
CREATE TRIGGER qr_codes_rerouted
AFTER UPDATE OF data, status, deleted_at, suspended, starts_at, expires_at, fallback_url, utm ON qr_codes
WHEN (NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at
    OR NEW.suspended IS NOT OLD.suspended OR NEW.starts_at IS NOT OLD.starts_at
    OR NEW.expires_at IS NOT OLD.expires_at OR NEW.fallback_url IS NOT OLD.fallback_url OR NEW.utm IS NOT OLD.utm)
  AND NEW.erased_at IS NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER pages_changed AFTER UPDATE ON pages WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES ('page:' || NEW.id, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER workspaces_suspended AFTER UPDATE OF suspension_version ON workspaces
WHEN NEW.suspension_version <> OLD.suspension_version BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    VALUES ('workspace:' || NEW.id, NEW.suspension_version, NEW.suspension_changed_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
