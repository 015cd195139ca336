-- A job is staged in portions, run in slices under a lease, and may fail.
DROP INDEX `bulk_jobs_unfinished`;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `error` text;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `staged_at` integer;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `slices` text DEFAULT '[0]' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `next_slice` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_jobs` ADD `resume_at` integer;--> statement-breakpoint
UPDATE `bulk_jobs` SET `staged_at` = `created_at`, `resume_at` = iif(`completed_at` IS NULL, `last_progress_at`, NULL);--> statement-breakpoint
ALTER TABLE `bulk_jobs` DROP COLUMN `last_progress_at`;--> statement-breakpoint
CREATE INDEX `bulk_jobs_unfinished` ON `bulk_jobs` (`resume_at`) WHERE resume_at IS NOT NULL;
