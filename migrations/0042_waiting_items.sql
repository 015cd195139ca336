CREATE TABLE `waiting_items` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`items` text NOT NULL,
	`fresh_until` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `members` ADD `postponed` text;--> statement-breakpoint
CREATE INDEX `bulk_jobs_failed` ON `bulk_jobs` (`workspace_id`,`completed_at`) WHERE completed_at IS NOT NULL AND (status = 'failed' OR failure_count > 0);--> statement-breakpoint
CREATE INDEX `print_jobs_failed` ON `print_jobs` (`workspace_id`,`completed_at`) WHERE completed_at IS NOT NULL AND (status = 'failed' OR failure_count > 0);--> statement-breakpoint
-- What waits for a person is counted again once it may have changed. A row that isn't there costs nothing to delete.
CREATE TRIGGER waiting_proposal_made AFTER INSERT ON proposals
WHEN NEW.digest IS NULL BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_proposal_used AFTER UPDATE OF used_at ON proposals
WHEN NEW.digest IS NULL BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_job_ended AFTER UPDATE OF completed_at ON bulk_jobs
WHEN NEW.completed_at IS NOT NULL AND (NEW.status = 'failed' OR NEW.failure_count > 0) BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_print_ended AFTER UPDATE OF completed_at ON print_jobs
WHEN NEW.completed_at IS NOT NULL AND (NEW.status = 'failed' OR NEW.failure_count > 0) BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_design_new AFTER INSERT ON qr_codes
WHEN NEW.readable = 0 BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_design_changed AFTER UPDATE OF readable, deleted_at ON qr_codes
WHEN (OLD.readable IS 0 AND OLD.deleted_at IS NULL) <> (NEW.readable IS 0 AND NEW.deleted_at IS NULL) BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_domain_new AFTER INSERT ON domains
WHEN NEW.problem IS NOT NULL BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_domain_changed AFTER UPDATE OF problem, status, deleted_at ON domains
WHEN NEW.problem IS NOT OLD.problem OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at BEGIN
  DELETE FROM waiting_items WHERE workspace_id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER waiting_domain_gone AFTER DELETE ON domains
WHEN OLD.problem IS NOT NULL BEGIN
  DELETE FROM waiting_items WHERE workspace_id = OLD.workspace_id;
END;
