-- When a code is open, where its scans are led otherwise, and the campaign parameters of its destination (JSON).
ALTER TABLE `qr_codes` ADD `starts_at` integer;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `fallback_url` text;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `utm` text;--> statement-breakpoint
-- All of them are part of the route.
DROP TRIGGER qr_codes_rerouted;--> statement-breakpoint
CREATE TRIGGER qr_codes_rerouted
AFTER UPDATE OF data, status, deleted_at, suspended, starts_at, expires_at, fallback_url, utm ON qr_codes
WHEN (NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at
    OR NEW.suspended IS NOT OLD.suspended OR NEW.starts_at IS NOT OLD.starts_at
    OR NEW.expires_at IS NOT OLD.expires_at OR NEW.fallback_url IS NOT OLD.fallback_url OR NEW.utm IS NOT OLD.utm)
  AND NEW.erased_at IS NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
