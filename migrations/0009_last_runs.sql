CREATE TABLE `last_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
