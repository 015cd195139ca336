-- The database of a checkout from before 1.0.0 (8d30dda), as wrangler leaves it.
CREATE TABLE d1_migrations(
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT UNIQUE,
	applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);

-- 0000_catalogue.sql
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`scopes` text NOT NULL,
	`origins` text NOT NULL,
	`digest` text NOT NULL,
	`prefix` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `api_keys_digest` ON `api_keys` (`digest`);
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`,`id`);
CREATE TABLE `bulk_items` (
	`job_id` text NOT NULL,
	`row_index` integer NOT NULL,
	`status` text NOT NULL,
	`input` text,
	`error` text,
	`qr_id` text,
	`qr_hash` text,
	PRIMARY KEY(`job_id`, `row_index`)
) WITHOUT ROWID;

CREATE TABLE `bulk_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`total_items` integer NOT NULL,
	`success_count` integer NOT NULL,
	`failure_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`touched_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `bulk_jobs_unfinished` ON `bulk_jobs` (`touched_at`) WHERE completed_at IS NULL;
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `folders_workspace` ON `folders` (`workspace_id`,`id`);
CREATE TABLE `idempotent_answers` (
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `key`)
) WITHOUT ROWID;

CREATE INDEX `idempotent_answers_age` ON `idempotent_answers` (`created_at`);
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `outbox_workspace` ON `outbox` (`workspace_id`,`id`);
CREATE TABLE `qr_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`hash` text NOT NULL,
	`version` integer NOT NULL,
	`qr_type` text NOT NULL,
	`name` text,
	`data` text NOT NULL,
	`folder_id` text,
	`tags` text NOT NULL,
	`status` text NOT NULL,
	`color_config` text,
	`shape` text,
	`template_id` text,
	`advanced` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `qr_codes_hash` ON `qr_codes` (`hash`);
CREATE INDEX `qr_codes_live` ON `qr_codes` (`workspace_id`,`id`) WHERE deleted_at IS NULL;
CREATE INDEX `qr_codes_folder` ON `qr_codes` (`workspace_id`,`folder_id`,`id`) WHERE deleted_at IS NULL;
CREATE INDEX `qr_codes_type` ON `qr_codes` (`workspace_id`,`qr_type`,`id`) WHERE deleted_at IS NULL;
CREATE TABLE `qr_tags` (
	`workspace_id` text NOT NULL,
	`tag` text NOT NULL,
	`qr_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `tag`, `qr_id`)
) WITHOUT ROWID;

CREATE INDEX `qr_tags_code` ON `qr_tags` (`qr_id`);
CREATE TABLE `unsettled_routes` (
	`hash` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`changed_at` integer NOT NULL
);

CREATE INDEX `unsettled_routes_age` ON `unsettled_routes` (`changed_at`);
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`requests_per_minute` integer,
	`live_codes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
INSERT INTO d1_migrations (name) VALUES ('0000_catalogue.sql');

-- 0001_triggers.sql
-- What follows from a row of qr_codes alone is kept by the database, so that no writer can forget it:
-- the workspace's count of live codes, and the rows that the tag filter searches.
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1 WHERE id = NEW.workspace_id;
END;

CREATE TRIGGER qr_codes_tagged AFTER INSERT ON qr_codes WHEN NEW.tags <> '[]' BEGIN
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;

CREATE TRIGGER qr_codes_retagged AFTER UPDATE OF tags ON qr_codes
WHEN NEW.tags <> OLD.tags AND NEW.deleted_at IS NULL BEGIN
  DELETE FROM qr_tags WHERE qr_id = NEW.id;
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;

CREATE TRIGGER qr_codes_deleted AFTER UPDATE OF deleted_at ON qr_codes
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE workspaces SET live_codes = live_codes - 1 WHERE id = NEW.workspace_id;
  DELETE FROM qr_tags WHERE qr_id = NEW.id;
END;

CREATE TRIGGER qr_codes_rerouted AFTER UPDATE OF data, status, deleted_at ON qr_codes
WHEN NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at BEGIN
  INSERT INTO unsettled_routes (hash, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (hash) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
INSERT INTO d1_migrations (name) VALUES ('0001_triggers.sql');

-- 0002_people.sql
CREATE TABLE `members` (
	`user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `workspace_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `members_workspace` ON `members` (`workspace_id`);
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`name` text,
	`email` text,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `users_subject` ON `users` (`issuer`,`subject`);
ALTER TABLE `workspaces` ADD `plan_version` integer DEFAULT 0 NOT NULL;
ALTER TABLE `workspaces` ADD `listens` integer DEFAULT false NOT NULL;
INSERT INTO d1_migrations (name) VALUES ('0002_people.sql');

-- 0003_templates.sql
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`color_config` text,
	`shape` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `templates_workspace` ON `templates` (`workspace_id`,`id`);
INSERT INTO d1_migrations (name) VALUES ('0003_templates.sql');

-- 0004_pages_and_logos.sql
ALTER TABLE `unsettled_routes` RENAME COLUMN "hash" TO "key";
CREATE TABLE `logos` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` blob NOT NULL,
	`size` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `pages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `pages_live` ON `pages` (`workspace_id`,`id`) WHERE deleted_at IS NULL;
ALTER TABLE `qr_codes` ADD `logo_id` text;
CREATE INDEX `qr_codes_page` ON `qr_codes` (data->>'pageId') WHERE qr_type = 'servicepage' AND deleted_at IS NULL;
ALTER TABLE `templates` ADD `logo_id` text;
-- What the edges show of a page is unsettled after every change of it, as a code's route is.
CREATE TRIGGER pages_changed AFTER UPDATE ON pages WHEN NEW.version <> OLD.version BEGIN
  INSERT INTO unsettled_routes (key, version, changed_at) VALUES ('page:' || NEW.id, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
INSERT INTO d1_migrations (name) VALUES ('0004_pages_and_logos.sql');

INSERT INTO workspaces (id, name, plan, created_at) VALUES ('01900000-0000-7000-8000-000000000001', 'Before', 'business', 1795000000000);
