-- Renames tables and columns without changing data. Triggers that refer to a renamed table are recreated.
DROP TRIGGER qr_codes_rerouted;--> statement-breakpoint
DROP TRIGGER pages_changed;--> statement-breakpoint
ALTER TABLE `unsettled_routes` RENAME TO `pending_publications`;--> statement-breakpoint
DROP INDEX `unsettled_routes_age`;--> statement-breakpoint
CREATE INDEX `pending_publications_age` ON `pending_publications` (`changed_at`);--> statement-breakpoint
ALTER TABLE `idempotent_answers` RENAME TO `idempotency_records`;--> statement-breakpoint
ALTER TABLE `idempotency_records` RENAME COLUMN "answer" TO "response";--> statement-breakpoint
DROP INDEX `idempotent_answers_age`;--> statement-breakpoint
CREATE INDEX `idempotency_records_age` ON `idempotency_records` (`created_at`);--> statement-breakpoint
ALTER TABLE `workspaces` RENAME COLUMN "listens" TO "has_webhooks";--> statement-breakpoint
ALTER TABLE `bulk_jobs` RENAME COLUMN "touched_at" TO "last_progress_at";--> statement-breakpoint
-- A changed route or page is pending until it has reached every feed and the route cache. The triggers run in the
-- transaction of the change, so that a crash right after it loses nothing.
CREATE TRIGGER qr_codes_rerouted AFTER UPDATE OF data, status, deleted_at ON qr_codes
WHEN NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER pages_changed AFTER UPDATE ON pages WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES ('page:' || NEW.id, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
