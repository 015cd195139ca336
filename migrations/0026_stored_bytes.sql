ALTER TABLE `workspaces` ADD `stored_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `job_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `max_stored_bytes` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `storage_limit` integer GENERATED ALWAYS AS (coalesce(max_stored_bytes, CASE plan WHEN 'free' THEN 10000000 WHEN 'starter' THEN 100000000 WHEN 'pro' THEN 500000000 WHEN 'business' THEN 2000000000 END)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `stored_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `bulk_jobs_pruned` ON `bulk_jobs` (`completed_at`) WHERE items_pruned_at IS NOT NULL;--> statement-breakpoint
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
-- A job's is a column, since a trigger for each of its items would write the workspace once more for each.
UPDATE bulk_jobs SET stored_bytes = 300 + length(CAST(slices AS BLOB)) + coalesce(length(CAST(change AS BLOB)), 0)
  + (SELECT coalesce(sum(128 + coalesce(length(CAST(input AS BLOB)), 0) + coalesce(length(CAST(error AS BLOB)), 0)), 0)
     FROM bulk_items i WHERE i.job_id = bulk_jobs.id);
--> statement-breakpoint
UPDATE workspaces SET
  stored_bytes = (SELECT coalesce(sum(bytes), 0) FROM qr_codes c WHERE c.workspace_id = workspaces.id)
    + (SELECT coalesce(sum(bytes), 0) FROM pages p WHERE p.workspace_id = workspaces.id)
    + (SELECT coalesce(sum(bytes), 0) FROM templates t WHERE t.workspace_id = workspaces.id),
  job_bytes = (SELECT coalesce(sum(stored_bytes), 0) FROM bulk_jobs j WHERE j.workspace_id = workspaces.id);
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
DROP TRIGGER qr_codes_created;
--> statement-breakpoint
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1, stored_bytes = stored_bytes + NEW.bytes,
    creations = iif(NEW.created_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.created_at / 86400000)
  WHERE id = NEW.workspace_id;
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
