CREATE TABLE `page_drafts` (
	`page_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`base_version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text NOT NULL,
	FOREIGN KEY (`page_id`) REFERENCES `pages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
-- The bytes of a draft count like a page's: 210 for the row and its place in the indexes.
ALTER TABLE page_drafts ADD COLUMN bytes integer GENERATED ALWAYS AS (210 + length(CAST(content AS BLOB))) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER page_drafts_created AFTER INSERT ON page_drafts BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER page_drafts_resized AFTER UPDATE OF content ON page_drafts WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes - OLD.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER page_drafts_deleted AFTER DELETE ON page_drafts BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes - OLD.bytes WHERE id = OLD.workspace_id;
END;
--> statement-breakpoint
-- A draft is erased with the values of its page, whichever statement erases them.
CREATE TRIGGER pages_erased AFTER UPDATE OF erased_at ON pages WHEN NEW.erased_at IS NOT NULL BEGIN
  DELETE FROM page_drafts WHERE page_id = NEW.id;
END;
