-- The operator can suspend codes, hosted pages and workspaces. The value is JSON: reason, legalOrder and time.
ALTER TABLE `qr_codes` ADD `suspended` text;--> statement-breakpoint
ALTER TABLE `pages` ADD `suspended` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspended` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspension_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspension_changed_at` integer;--> statement-breakpoint
-- A suspension has to be published like any change of a route. Pages are published whenever their version changes.
DROP TRIGGER qr_codes_rerouted;--> statement-breakpoint
CREATE TRIGGER qr_codes_rerouted AFTER UPDATE OF data, status, deleted_at, suspended ON qr_codes
WHEN (NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at
    OR NEW.suspended IS NOT OLD.suspended)
  AND NEW.erased_at IS NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER workspaces_suspended AFTER UPDATE OF suspension_version ON workspaces
WHEN NEW.suspension_version <> OLD.suspension_version BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    VALUES ('workspace:' || NEW.id, NEW.suspension_version, NEW.suspension_changed_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
