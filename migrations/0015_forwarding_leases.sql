-- The events of a workspace are forwarded by one caller at a time.
CREATE TABLE `forwarding_leases` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
