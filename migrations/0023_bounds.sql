ALTER TABLE `bulk_jobs` ADD `actor` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `history` text;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_used_at` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `role` text DEFAULT 'owner' NOT NULL;
--> statement-breakpoint
DROP INDEX `folders_workspace`;--> statement-breakpoint
DROP INDEX `folders_name`;--> statement-breakpoint
ALTER TABLE `folders` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `folders_live` ON `folders` (`workspace_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `folders_deleted` ON `folders` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_restorable` ON `folders` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_name` ON `folders` (`workspace_id`,`name_order`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `deleted_folder_id` text;--> statement-breakpoint
CREATE INDEX `qr_codes_deleted_folder` ON `qr_codes` (`workspace_id`,`deleted_folder_id`) WHERE deleted_folder_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `templates_deleted` ON `templates` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `templates_restorable` ON `templates` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `pages_restorable` ON `pages` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `replaced_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_expiry` ON `api_keys` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_expiring` ON `api_keys` (`workspace_id`,`expires_at`) WHERE expires_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`digest` text NOT NULL,
	`role` text NOT NULL,
	`email` text,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_digest` ON `invitations` (`digest`);--> statement-breakpoint
CREATE INDEX `invitations_workspace` ON `invitations` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
ALTER TABLE `members` ADD `chosen_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `workspace_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `verified_email` text;
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `deletion` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `deletion_due_at` integer;--> statement-breakpoint
CREATE INDEX `workspaces_deletions` ON `workspaces` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_id` text;
--> statement-breakpoint
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
