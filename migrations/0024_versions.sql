ALTER TABLE `folders` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `version` integer DEFAULT 0 NOT NULL;