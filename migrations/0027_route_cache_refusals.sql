CREATE TABLE `route_cache_refusals` (
	`id` integer PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`since` integer NOT NULL
);
