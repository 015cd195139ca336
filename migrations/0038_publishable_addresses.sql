ALTER TABLE `api_keys` ADD `uses_domains` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `scan_origin_only` integer;--> statement-breakpoint
DROP TRIGGER qr_codes_rerouted;
--> statement-breakpoint
CREATE TRIGGER qr_codes_rerouted
AFTER UPDATE OF data, status, deleted_at, suspended, starts_at, expires_at, fallback_url, utm, query, alias_addresses,
  scan_origin_only ON qr_codes
WHEN (NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at
    OR NEW.suspended IS NOT OLD.suspended OR NEW.starts_at IS NOT OLD.starts_at
    OR NEW.expires_at IS NOT OLD.expires_at OR NEW.fallback_url IS NOT OLD.fallback_url OR NEW.utm IS NOT OLD.utm
    OR NEW.query <> OLD.query OR NEW.alias_addresses IS NOT OLD.alias_addresses
    OR NEW.scan_origin_only IS NOT OLD.scan_origin_only)
  AND NEW.erased_at IS NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
