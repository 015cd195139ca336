CREATE TABLE `operator_sessions` (
	`digest` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_sessions_expiry` ON `operator_sessions` (`expires_at`);