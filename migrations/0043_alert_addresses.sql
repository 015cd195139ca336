CREATE TABLE `alert_addresses` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`check_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `alert_addresses_due` ON `alert_addresses` (`check_at`);--> statement-breakpoint
-- What waits has changed: the sweep looks at it at once.
CREATE TRIGGER alert_due AFTER DELETE ON waiting_items BEGIN
  UPDATE alert_addresses SET check_at = 0 WHERE workspace_id = OLD.workspace_id AND check_at > 0;
END;
--> statement-breakpoint
-- A code that was still scanned after its end is counted again once it may answer.
CREATE TRIGGER waiting_closed_changed AFTER UPDATE OF status, expires_at, deleted_at, erased_at, suspended ON qr_codes
WHEN NEW.status <> OLD.status OR NEW.expires_at IS NOT OLD.expires_at OR NEW.deleted_at IS NOT OLD.deleted_at
  OR NEW.erased_at IS NOT OLD.erased_at OR (NEW.suspended IS NULL) <> (OLD.suspended IS NULL) BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id AND instr(items, NEW.id) > 0;
END;
