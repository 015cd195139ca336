ALTER TABLE `sessions` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `passkeys_seen_at` integer;
--> statement-breakpoint
ALTER TABLE `print_jobs` ADD `created_by` text;
--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `readable` integer;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `measure_at` integer;--> statement-breakpoint
CREATE INDEX `qr_codes_unmeasured` ON `qr_codes` (`workspace_id`,`measure_at`,`id`) WHERE readable IS NULL AND deleted_at IS NULL AND (color_config IS NOT NULL OR advanced IS NOT NULL OR logo_id IS NOT NULL OR shape = 'circle');--> statement-breakpoint
CREATE INDEX `qr_codes_unreadable` ON `qr_codes` (`workspace_id`,`id`) WHERE readable = 0 AND deleted_at IS NULL;
--> statement-breakpoint
ALTER TABLE `logo_files` ADD `drawing` text;--> statement-breakpoint
ALTER TABLE `logos` ADD `conversion` text;--> statement-breakpoint
CREATE INDEX `logos_unconverted` ON `logos` (`created_at`) WHERE media_type = 'image/svg+xml' AND conversion IS NULL;
--> statement-breakpoint
CREATE TABLE `abuse_report_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`open` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `abuse_reports` ADD `other_reports` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `abuse_reports_open_workspace` ON `abuse_reports` (`workspace_id`,`id`) WHERE status = 'open';--> statement-breakpoint
INSERT INTO `abuse_report_count` (`id`, `open`) SELECT 1, count(*) FROM `abuse_reports` WHERE `status` = 'open';
--> statement-breakpoint
-- Open abuse reports are counted, because reading them all to bound them would cost more than a report.
CREATE TRIGGER abuse_reports_opened AFTER INSERT ON abuse_reports WHEN NEW.status = 'open' BEGIN
  INSERT INTO abuse_report_count (id, open) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET open = open + 1;
END;
--> statement-breakpoint
CREATE TRIGGER abuse_reports_closed AFTER UPDATE OF status ON abuse_reports
WHEN OLD.status = 'open' AND NEW.status <> 'open' BEGIN
  UPDATE abuse_report_count SET open = open - 1;
END;
--> statement-breakpoint
CREATE TRIGGER abuse_reports_pruned AFTER DELETE ON abuse_reports WHEN OLD.status = 'open' BEGIN
  UPDATE abuse_report_count SET open = open - 1;
END;
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `outbox_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The bytes of a row are those of its values as UTF-8, and 300 for the rest of the row and its place in the indexes.
ALTER TABLE outbox ADD COLUMN bytes integer GENERATED ALWAYS AS (
  300 + length(CAST(data AS BLOB)) + coalesce(length(CAST(history AS BLOB)), 0)) VIRTUAL;
--> statement-breakpoint
UPDATE workspaces SET outbox_bytes = (SELECT coalesce(sum(bytes), 0) FROM outbox WHERE workspace_id = workspaces.id)
WHERE id IN (SELECT workspace_id FROM outbox);
--> statement-breakpoint
CREATE TRIGGER outbox_added AFTER INSERT ON outbox BEGIN
  UPDATE workspaces SET outbox_bytes = outbox_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
  UPDATE workspaces SET outbox_bytes = outbox_bytes - OLD.bytes WHERE id = OLD.workspace_id;
END;
