ALTER TABLE `bulk_jobs` ADD `actor` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `history` text;