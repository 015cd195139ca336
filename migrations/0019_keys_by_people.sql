ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `replaced_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_expiry` ON `api_keys` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_expiring` ON `api_keys` (`workspace_id`,`expires_at`) WHERE expires_at IS NOT NULL;