ALTER TABLE `qr_codes` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `qr_codes_external_id` ON `qr_codes` (`workspace_id`,`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
-- Where a code leads: an address that its client chose, and its host with the port. An address without a path, such as
-- https://example.com?a, is stored as it was given.
ALTER TABLE qr_codes ADD COLUMN destination text GENERATED ALWAYS AS (coalesce(data->>'url', data->>'fallback')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE qr_codes ADD COLUMN destination_host text GENERATED ALWAYS AS (
  lower(substr(destination, instr(destination, '//') + 2, min(
    instr(substr(destination || '/', instr(destination, '//') + 2), '/'),
    instr(substr(destination || '?', instr(destination, '//') + 2), '?'),
    instr(substr(destination || '#', instr(destination, '//') + 2), '#')) - 1))) VIRTUAL;
--> statement-breakpoint
CREATE INDEX qr_codes_destination ON qr_codes (workspace_id, destination, id)
WHERE deleted_at IS NULL AND destination IS NOT NULL;
--> statement-breakpoint
CREATE INDEX qr_codes_destination_host ON qr_codes (workspace_id, destination_host, id)
WHERE deleted_at IS NULL AND destination_host IS NOT NULL;
--> statement-breakpoint
-- The bytes of own ids and of these indexes: 100 and 90 for an entry besides its text.
ALTER TABLE qr_codes ADD COLUMN index_bytes integer GENERATED ALWAYS AS (
  iif(external_id IS NULL, 0, 60 + 2 * length(CAST(external_id AS BLOB)))
  + iif(deleted_at IS NULL AND destination IS NOT NULL,
      190 + length(CAST(destination AS BLOB)) + length(CAST(destination_host AS BLOB)), 0)) VIRTUAL;
--> statement-breakpoint
-- Counting what is stored already may take a workspace beyond its limit, which must not stop the migration.
DROP TRIGGER workspaces_full;
--> statement-breakpoint
UPDATE workspaces SET stored_bytes = stored_bytes + c.bytes
FROM (SELECT workspace_id, sum(index_bytes) AS bytes FROM qr_codes GROUP BY workspace_id) c
WHERE c.workspace_id = workspaces.id AND c.bytes > 0;
--> statement-breakpoint
CREATE TRIGGER workspaces_full AFTER UPDATE OF stored_bytes ON workspaces
WHEN NEW.stored_bytes > OLD.stored_bytes AND NEW.stored_bytes + NEW.job_bytes > NEW.storage_limit BEGIN
  SELECT RAISE(ABORT, 'workspace storage is full');
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_without_room;
--> statement-breakpoint
CREATE TRIGGER qr_codes_without_room BEFORE INSERT ON qr_codes
WHEN (SELECT stored_bytes + job_bytes + NEW.bytes + NEW.index_bytes > storage_limit FROM workspaces WHERE id = NEW.workspace_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_created;
--> statement-breakpoint
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1, stored_bytes = stored_bytes + NEW.bytes + NEW.index_bytes,
    creations = iif(NEW.created_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.created_at / 86400000)
  WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_resized;
--> statement-breakpoint
CREATE TRIGGER qr_codes_resized
AFTER UPDATE OF name, name_folded, external_id, data, tags, color_config, advanced, fallback_url, utm, deleted_at ON qr_codes
WHEN NEW.bytes + NEW.index_bytes <> OLD.bytes + OLD.index_bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes + NEW.index_bytes - OLD.bytes - OLD.index_bytes
  WHERE id = NEW.workspace_id;
END;
