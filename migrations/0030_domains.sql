CREATE TABLE `aliases` (
	`workspace_id` text NOT NULL,
	`address` text NOT NULL,
	`qr_id` text NOT NULL,
	`folded` text,
	`version` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `address`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `aliases_code` ON `aliases` (`qr_id`);--> statement-breakpoint
CREATE INDEX `aliases_folded` ON `aliases` (`workspace_id`,`folded`) WHERE folded IS NOT NULL;--> statement-breakpoint
CREATE TABLE `domains` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`host` text NOT NULL,
	`status` text NOT NULL,
	`problem` text,
	`detail` text,
	`token` text NOT NULL,
	`proved_at` integer,
	`custom_hostname_id` text,
	`is_default` integer DEFAULT false NOT NULL,
	`name` text,
	`root_url` text,
	`unknown_url` text,
	`query` text DEFAULT 'off' NOT NULL,
	`created_at` integer NOT NULL,
	`claimed_at` integer NOT NULL,
	`checked_at` integer,
	`check_at` integer,
	`deleted_at` integer,
	`suspended` text,
	`version` integer NOT NULL,
	`route_version` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_held` ON `domains` (`host`) WHERE proved_at IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `domains_live` ON `domains` (`workspace_id`,`host`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `domains_host` ON `domains` (`host`);--> statement-breakpoint
CREATE INDEX `domains_due` ON `domains` (`check_at`) WHERE check_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `domains_custom` ON `domains` (`custom_hostname_id`) WHERE custom_hostname_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `domains_deleted` ON `domains` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `domains_restorable` ON `domains` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `domain` text;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `aliases` text;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `alias_addresses` text;--> statement-breakpoint
CREATE INDEX `qr_codes_domain` ON `qr_codes` (`workspace_id`,`domain`) WHERE domain IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `alias_version` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The bytes of a code's domain and aliases, their rows and index entries included.
ALTER TABLE qr_codes ADD COLUMN alias_bytes integer GENERATED ALWAYS AS (
  iif(domain IS NULL, 0, 90 + 2 * length(CAST(domain AS BLOB)))
  + iif(alias_addresses IS NULL, 0, length(CAST(aliases AS BLOB)) + 4 * length(CAST(alias_addresses AS BLOB))
      + 300 * json_array_length(alias_addresses))) VIRTUAL;
--> statement-breakpoint
DROP TRIGGER qr_codes_without_room;
--> statement-breakpoint
CREATE TRIGGER qr_codes_without_room BEFORE INSERT ON qr_codes
WHEN (SELECT stored_bytes + job_bytes + NEW.bytes + NEW.index_bytes + NEW.alias_bytes > storage_limit
  FROM workspaces WHERE id = NEW.workspace_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_created;
--> statement-breakpoint
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1,
    stored_bytes = stored_bytes + NEW.bytes + NEW.index_bytes + NEW.alias_bytes,
    creations = iif(NEW.created_at / 86400000 > creations_day, 1, creations + 1),
    creations_day = max(creations_day, NEW.created_at / 86400000)
  WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_resized;
--> statement-breakpoint
CREATE TRIGGER qr_codes_resized
AFTER UPDATE OF name, name_folded, external_id, domain, aliases, alias_addresses, data, tags, color_config, advanced,
  fallback_url, utm, deleted_at ON qr_codes
WHEN NEW.bytes + NEW.index_bytes + NEW.alias_bytes <> OLD.bytes + OLD.index_bytes + OLD.alias_bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes + NEW.index_bytes + NEW.alias_bytes
    - OLD.bytes - OLD.index_bytes - OLD.alias_bytes
  WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
DROP TRIGGER qr_codes_rerouted;
--> statement-breakpoint
CREATE TRIGGER qr_codes_rerouted
AFTER UPDATE OF data, status, deleted_at, suspended, starts_at, expires_at, fallback_url, utm, query, alias_addresses
ON qr_codes
WHEN (NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at
    OR NEW.suspended IS NOT OLD.suspended OR NEW.starts_at IS NOT OLD.starts_at
    OR NEW.expires_at IS NOT OLD.expires_at OR NEW.fallback_url IS NOT OLD.fallback_url OR NEW.utm IS NOT OLD.utm
    OR NEW.query <> OLD.query OR NEW.alias_addresses IS NOT OLD.alias_addresses)
  AND NEW.erased_at IS NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
-- The rows by which scans find aliases. Two codes never have one: where another code has it, the statement fails.
CREATE TRIGGER qr_codes_aliased AFTER INSERT ON qr_codes WHEN NEW.alias_addresses IS NOT NULL BEGIN
  UPDATE workspaces SET alias_version = alias_version + 1 WHERE id = NEW.workspace_id;
  INSERT INTO aliases (workspace_id, address, folded, qr_id, version, changed_at)
    SELECT w.id, j.value->>0, j.value->>1, NEW.id, w.alias_version, NEW.updated_at
    FROM json_each(NEW.alias_addresses) j CROSS JOIN workspaces w WHERE w.id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_realiased AFTER UPDATE OF alias_addresses ON qr_codes
WHEN NEW.alias_addresses IS NOT OLD.alias_addresses BEGIN
  UPDATE workspaces SET alias_version = alias_version + 1 WHERE id = NEW.workspace_id;
  DELETE FROM aliases WHERE qr_id = NEW.id
    AND address NOT IN (SELECT value->>0 FROM json_each(coalesce(NEW.alias_addresses, '[]')));
  INSERT INTO aliases (workspace_id, address, folded, qr_id, version, changed_at)
    SELECT w.id, j.value->>0, j.value->>1, NEW.id, w.alias_version, NEW.updated_at
    FROM json_each(coalesce(NEW.alias_addresses, '[]')) j CROSS JOIN workspaces w
    WHERE w.id = NEW.workspace_id AND NOT EXISTS
      (SELECT 1 FROM aliases a WHERE a.workspace_id = w.id AND a.address = j.value->>0 AND a.qr_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER aliases_added AFTER INSERT ON aliases BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    VALUES ('alias:' || NEW.workspace_id || ':' || NEW.address, NEW.version, NEW.changed_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
-- A removed alias has the version of the change, so that one which is added later has a higher one.
CREATE TRIGGER aliases_removed AFTER DELETE ON aliases BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    SELECT 'alias:' || OLD.workspace_id || ':' || OLD.address, w.alias_version, coalesce(c.updated_at, OLD.changed_at)
    FROM workspaces w LEFT JOIN qr_codes c ON c.id = OLD.qr_id WHERE w.id = OLD.workspace_id
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
-- Domains are routed from the proof on.
CREATE TRIGGER domains_proved AFTER INSERT ON domains WHEN NEW.proved_at IS NOT NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    VALUES ('domain:' || NEW.host, NEW.route_version, NEW.created_at)
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER domains_rerouted AFTER UPDATE OF route_version ON domains
WHEN NEW.route_version <> OLD.route_version AND (NEW.proved_at IS NOT NULL OR OLD.proved_at IS NOT NULL) BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    VALUES ('domain:' || NEW.host, NEW.route_version, NEW.route_version)
    ON CONFLICT (key) DO UPDATE SET version = max(version, excluded.version), changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER domains_gone AFTER DELETE ON domains WHEN OLD.proved_at IS NOT NULL BEGIN
  INSERT INTO pending_publications (key, version, changed_at)
    VALUES ('domain:' || OLD.host, OLD.route_version + 1, OLD.route_version)
    ON CONFLICT (key) DO UPDATE SET version = max(version, excluded.version), changed_at = excluded.changed_at;
END;
--> statement-breakpoint
-- Scans at domains look for aliases only from the workspace's first one on.
CREATE TRIGGER workspaces_aliased AFTER UPDATE OF alias_version ON workspaces WHEN OLD.alias_version = 0 BEGIN
  UPDATE domains SET route_version = route_version + 1 WHERE workspace_id = NEW.id AND deleted_at IS NULL;
END;
