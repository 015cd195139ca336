CREATE TABLE `figures` (
	`at` integer PRIMARY KEY NOT NULL,
	`scans` integer NOT NULL,
	`requests` integer NOT NULL,
	`failed_requests` integer NOT NULL,
	`deliveries` integer NOT NULL,
	`failed_deliveries` integer NOT NULL
);
