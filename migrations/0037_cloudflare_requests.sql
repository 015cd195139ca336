CREATE TABLE `cloudflare_requests` (
	`id` integer PRIMARY KEY NOT NULL,
	`period` integer NOT NULL,
	`requests` integer NOT NULL
);
