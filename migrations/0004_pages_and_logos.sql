ALTER TABLE `unsettled_routes` RENAME COLUMN "hash" TO "key";--> statement-breakpoint
CREATE TABLE `logos` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` blob NOT NULL,
	`size` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `pages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pages_live` ON `pages` (`workspace_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `logo_id` text;--> statement-breakpoint
CREATE INDEX `qr_codes_page` ON `qr_codes` (data->>'pageId') WHERE qr_type = 'servicepage' AND deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `logo_id` text;--> statement-breakpoint
-- A changed page has to be published like a changed route.
CREATE TRIGGER pages_changed AFTER UPDATE ON pages WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO unsettled_routes (key, version, changed_at) VALUES ('page:' || NEW.id, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
