ALTER TABLE `logos` ADD `name` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `brand_colors` text;