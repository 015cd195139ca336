ALTER TABLE `folders` ADD `name_folded` text;--> statement-breakpoint
ALTER TABLE `folders` ADD `name_order` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_name` ON `folders` (`workspace_id`,`name_order`,`id`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `creations` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `creations_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `pages_kept` ON `pages` (`workspace_id`) WHERE erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE revoked_at IS NOT NULL;
--> statement-breakpoint
UPDATE `folders` SET `name_order` = upper(`name`);--> statement-breakpoint
-- Creations and restorations of the day are counted beside the live codes. A clock that lags counts in the day that has
-- begun already.
DROP TRIGGER qr_codes_created;--> statement-breakpoint
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1,
    creations = iif(NEW.created_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.created_at / 86400000)
  WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_restored;--> statement-breakpoint
CREATE TRIGGER qr_codes_restored AFTER UPDATE OF deleted_at ON qr_codes
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1,
    creations = iif(NEW.updated_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.updated_at / 86400000)
  WHERE id = NEW.workspace_id;
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
