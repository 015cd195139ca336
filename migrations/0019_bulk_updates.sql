-- A bulk job creates codes, or changes those that its items name.
ALTER TABLE `bulk_jobs` ADD `kind` text DEFAULT 'create' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `change` text;--> statement-breakpoint
ALTER TABLE `bulk_items` ADD `changed` integer;--> statement-breakpoint
-- Only the tags that differ are written: a code with many tags that gets another one costs a row, not all of them.
DROP TRIGGER qr_codes_retagged;--> statement-breakpoint
CREATE TRIGGER qr_codes_retagged AFTER UPDATE OF tags ON qr_codes
WHEN NEW.tags <> OLD.tags AND NEW.deleted_at IS NULL BEGIN
  DELETE FROM qr_tags WHERE qr_id = NEW.id AND tag NOT IN (SELECT value FROM json_each(NEW.tags));
  INSERT OR IGNORE INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
