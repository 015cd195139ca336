ALTER TABLE `shared_reports` ADD `name` text;--> statement-breakpoint
ALTER TABLE `shared_reports` ADD `opened_on` text;