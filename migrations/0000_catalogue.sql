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
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest` ON `api_keys` (`digest`);--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `bulk_items` (
	`job_id` text NOT NULL,
	`row_index` integer NOT NULL,
	`status` text NOT NULL,
	`input` text,
	`error` text,
	`qr_id` text,
	`qr_hash` text,
	PRIMARY KEY(`job_id`, `row_index`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bulk_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`total_items` integer NOT NULL,
	`success_count` integer NOT NULL,
	`failure_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`touched_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bulk_jobs_unfinished` ON `bulk_jobs` (`touched_at`) WHERE completed_at IS NULL;--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `folders_workspace` ON `folders` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `idempotent_answers` (
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotent_answers_age` ON `idempotent_answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_workspace` ON `outbox` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `qr_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`hash` text NOT NULL,
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
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `qr_codes_hash` ON `qr_codes` (`hash`);--> statement-breakpoint
CREATE INDEX `qr_codes_live` ON `qr_codes` (`workspace_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_folder` ON `qr_codes` (`workspace_id`,`folder_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_type` ON `qr_codes` (`workspace_id`,`qr_type`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `qr_tags` (
	`workspace_id` text NOT NULL,
	`tag` text NOT NULL,
	`qr_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `tag`, `qr_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `qr_tags_code` ON `qr_tags` (`qr_id`);--> statement-breakpoint
CREATE TABLE `unsettled_routes` (
	`hash` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unsettled_routes_age` ON `unsettled_routes` (`changed_at`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`requests_per_minute` integer,
	`live_codes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
