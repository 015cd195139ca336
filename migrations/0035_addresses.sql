ALTER TABLE `abuse_reports` ADD `link` text;--> statement-breakpoint
CREATE INDEX `domains_suspensions` ON `domains` (`id`) WHERE suspended IS NOT NULL;