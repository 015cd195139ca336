CREATE INDEX `pages_suspensions` ON `pages` (`id`) WHERE suspended IS NOT NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_suspensions` ON `qr_codes` (`id`) WHERE suspended IS NOT NULL;--> statement-breakpoint
CREATE INDEX `workspaces_suspensions` ON `workspaces` (`id`) WHERE suspended IS NOT NULL;