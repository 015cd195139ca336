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
