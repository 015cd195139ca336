CREATE TABLE `scan_totals` (
	`workspace_id` text NOT NULL,
	`qr_id` text NOT NULL,
	`scans` integer NOT NULL,
	`last_day` integer,
	PRIMARY KEY(`workspace_id`, `qr_id`)
) WITHOUT ROWID;
--> statement-breakpoint
-- Whichever way a code is erased, and whichever release erases it.
CREATE TRIGGER scan_totals_erased AFTER UPDATE OF erased_at ON qr_codes
WHEN NEW.erased_at IS NOT NULL BEGIN
  DELETE FROM scan_totals WHERE workspace_id = NEW.workspace_id AND qr_id = NEW.id;
END;
