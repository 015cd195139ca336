-- Idempotency records belong to the API key that sent the request. They are kept for 24 hours only, so none are copied.
DROP TABLE `idempotency_records`;--> statement-breakpoint
CREATE TABLE `idempotency_records` (
	`workspace_id` text NOT NULL,
	`key_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`response` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_records_age` ON `idempotency_records` (`created_at`);
--> statement-breakpoint
-- Set until the meter of a revoked key knows that it is revoked.
ALTER TABLE `api_keys` ADD `revocation_pending_at` integer;--> statement-breakpoint
CREATE INDEX `api_keys_revocation_pending` ON `api_keys` (`revocation_pending_at`) WHERE revocation_pending_at IS NOT NULL;
--> statement-breakpoint
-- Sessions that have not ended, and when a user last signed out everywhere.
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `signed_out_at` integer;
