-- Deleted codes and pages are erased after 30 days: their rows stay, without values.
ALTER TABLE `pages` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `pages_deleted` ON `pages` (`deleted_at`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `qr_codes_deleted` ON `qr_codes` (`deleted_at`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
-- A restored code counts and is found by its tags again.
CREATE TRIGGER qr_codes_restored AFTER UPDATE OF deleted_at ON qr_codes
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1 WHERE id = NEW.workspace_id;
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
-- Erasing changes no route: that of a deleted code has no values already.
DROP TRIGGER qr_codes_rerouted;--> statement-breakpoint
CREATE TRIGGER qr_codes_rerouted AFTER UPDATE OF data, status, deleted_at ON qr_codes
WHEN (NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at)
  AND NEW.erased_at IS NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
-- The items of a completed job are deleted after 30 days.
ALTER TABLE `bulk_jobs` ADD `items_pruned_at` integer;--> statement-breakpoint
CREATE INDEX `bulk_jobs_unpruned` ON `bulk_jobs` (`completed_at`) WHERE completed_at IS NOT NULL AND items_pruned_at IS NULL;
