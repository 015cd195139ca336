CREATE TABLE `logo_files` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
