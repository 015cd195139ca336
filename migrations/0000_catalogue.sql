CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`name_folded` text,
	`name_order` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `folders_workspace` ON `folders` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `folders_name` ON `folders` (`workspace_id`,`name_order`,`id`);--> statement-breakpoint
CREATE TABLE `forwarding_leases` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `idempotency_records_age` ON `idempotency_records` (`created_at`);--> statement-breakpoint
CREATE TABLE `logos` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`size` text NOT NULL,
	`created_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`unused_since` integer,
	`removing_at` integer,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `logos_checked` ON `logos` (`checked_at`) WHERE removing_at IS NULL;--> statement-breakpoint
CREATE INDEX `logos_removing` ON `logos` (`removing_at`) WHERE removing_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_workspace` ON `outbox` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `pages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`form_closed` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`erased_at` integer,
	`suspended` text,
	`title_folded` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pages_live` ON `pages` (`workspace_id`,`id`,`title_folded`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `pages_noticed` ON `pages` (`workspace_id`,`id`) WHERE (form_closed OR suspended IS NOT NULL) AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `pages_deleted` ON `pages` (`deleted_at`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `pages_kept` ON `pages` (`workspace_id`) WHERE erased_at IS NULL;--> statement-breakpoint
CREATE TABLE `pending_publications` (
	`key` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_publications_age` ON `pending_publications` (`changed_at`);--> statement-breakpoint
CREATE TABLE `qr_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`hash` text NOT NULL,
	`hash_folded` text,
	`version` integer NOT NULL,
	`qr_type` text NOT NULL,
	`name` text,
	`data` text NOT NULL,
	`folder_id` text,
	`tags` text NOT NULL,
	`status` text NOT NULL,
	`color_config` text,
	`shape` text,
	`template_id` text,
	`advanced` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`erased_at` integer,
	`suspended` text,
	`logo_id` text,
	`name_folded` text,
	`starts_at` integer,
	`expires_at` integer,
	`fallback_url` text,
	`utm` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `qr_codes_hash` ON `qr_codes` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `qr_codes_hash_folded` ON `qr_codes` (`hash_folded`);--> statement-breakpoint
CREATE INDEX `qr_codes_live` ON `qr_codes` (`workspace_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_folder` ON `qr_codes` (`workspace_id`,`folder_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_name` ON `qr_codes` (`workspace_id`,CASE WHEN name IS NULL THEN char(1114111) WHEN name_folded IS NULL THEN upper(name) ELSE name_folded END || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_changed` ON `qr_codes` (`workspace_id`,`updated_at`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_type` ON `qr_codes` (`workspace_id`,`qr_type`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_page` ON `qr_codes` (data->>'pageId') WHERE qr_type = 'servicepage' AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_suspended` ON `qr_codes` (`workspace_id`,`id`) WHERE suspended IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_logo` ON `qr_codes` (`workspace_id`,`logo_id`) WHERE logo_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_deleted` ON `qr_codes` (`deleted_at`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE TABLE `qr_tags` (
	`workspace_id` text NOT NULL,
	`tag` text NOT NULL,
	`qr_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `tag`, `qr_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `qr_tags_code` ON `qr_tags` (`qr_id`);--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`color_config` text,
	`shape` text,
	`created_at` integer NOT NULL,
	`logo_id` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `templates_workspace` ON `templates` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`requests_per_minute` integer,
	`live_codes` integer DEFAULT 0 NOT NULL,
	`creations` integer DEFAULT 0 NOT NULL,
	`creations_day` integer DEFAULT 0 NOT NULL,
	`plan_version` integer DEFAULT 0 NOT NULL,
	`has_webhooks` integer DEFAULT false NOT NULL,
	`suspended` text,
	`suspension_version` integer DEFAULT 0 NOT NULL,
	`suspension_changed_at` integer,
	`created_at` integer NOT NULL,
	`name_folded` text,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`job_bytes` integer DEFAULT 0 NOT NULL,
	`max_stored_bytes` integer,
	`storage_limit` integer GENERATED ALWAYS AS (coalesce(max_stored_bytes, CASE plan WHEN 'free' THEN 10000000 WHEN 'starter' THEN 100000000 WHEN 'pro' THEN 500000000 WHEN 'business' THEN 2000000000 END)) VIRTUAL
);
--> statement-breakpoint
CREATE TABLE `bulk_items` (
	`job_id` text NOT NULL,
	`row_index` integer NOT NULL,
	`status` text NOT NULL,
	`input` text,
	`error` text,
	`qr_id` text,
	`qr_hash` text,
	`changed` integer,
	PRIMARY KEY(`job_id`, `row_index`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bulk_items_failed` ON `bulk_items` (`job_id`,`row_index`) WHERE status = 'failed';--> statement-breakpoint
CREATE TABLE `bulk_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`total_items` integer NOT NULL,
	`success_count` integer NOT NULL,
	`failure_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`error` text,
	`staged_at` integer,
	`slices` text DEFAULT '[0]' NOT NULL,
	`next_slice` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`resume_at` integer,
	`items_pruned_at` integer,
	`kind` text DEFAULT 'create' NOT NULL,
	`change` text,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bulk_jobs_unfinished` ON `bulk_jobs` (`resume_at`) WHERE resume_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bulk_jobs_under_way` ON `bulk_jobs` (`workspace_id`,`id`) WHERE completed_at IS NULL;--> statement-breakpoint
CREATE INDEX `bulk_jobs_of_workspace` ON `bulk_jobs` (`workspace_id`,`id`) WHERE staged_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bulk_jobs_unpruned` ON `bulk_jobs` (`completed_at`) WHERE completed_at IS NOT NULL AND items_pruned_at IS NULL;--> statement-breakpoint
CREATE INDEX `bulk_jobs_pruned` ON `bulk_jobs` (`completed_at`) WHERE items_pruned_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`scopes` text NOT NULL,
	`origins` text NOT NULL,
	`digest` text NOT NULL,
	`prefix` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`revocation_pending_at` integer,
	`capped_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest` ON `api_keys` (`digest`);--> statement-breakpoint
CREATE INDEX `api_keys_revocation_pending` ON `api_keys` (`revocation_pending_at`) WHERE revocation_pending_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE revoked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_capped` ON `api_keys` (`workspace_id`,`capped_at`) WHERE capped_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `members` (
	`user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `workspace_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `members_workspace` ON `members` (`workspace_id`);--> statement-breakpoint
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
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`name` text,
	`email` text,
	`created_at` integer NOT NULL,
	`signed_out_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_subject` ON `users` (`issuer`,`subject`);--> statement-breakpoint
CREATE TABLE `blocked_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_hosts_host` ON `blocked_hosts` (`host`);--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`message_id` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_message` ON `dead_letters` (`queue`,`message_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_queue` ON `dead_letters` (`queue`,`id`);--> statement-breakpoint
CREATE INDEX `dead_letters_expiry` ON `dead_letters` (`expires_at`);--> statement-breakpoint
CREATE TABLE `abuse_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`route_key` text NOT NULL,
	`hash` text,
	`qr_id` text,
	`page_id` text,
	`workspace_id` text NOT NULL,
	`destination` text,
	`reason` text NOT NULL,
	`details` text,
	`email` text,
	`status` text DEFAULT 'open' NOT NULL,
	`further_reports` integer DEFAULT 0 NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `abuse_reports_open` ON `abuse_reports` (`route_key`,`id`) WHERE status = 'open';--> statement-breakpoint
CREATE INDEX `abuse_reports_status` ON `abuse_reports` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `abuse_reports_workspace` ON `abuse_reports` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `abuse_reports_decided` ON `abuse_reports` (`decided_at`);--> statement-breakpoint
CREATE TABLE `route_cache_refusals` (
	`id` integer PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shared_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`digest` text NOT NULL,
	`qr_id` text,
	`tag` text,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shared_reports_digest` ON `shared_reports` (`digest`);--> statement-breakpoint
CREATE INDEX `shared_reports_workspace` ON `shared_reports` (`workspace_id`,`id`);