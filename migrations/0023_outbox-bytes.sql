ALTER TABLE `workspaces` ADD `outbox_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The bytes of a row are those of its values as UTF-8, and 300 for the rest of the row and its place in the indexes.
ALTER TABLE outbox ADD COLUMN bytes integer GENERATED ALWAYS AS (
  300 + length(CAST(data AS BLOB)) + coalesce(length(CAST(history AS BLOB)), 0)) VIRTUAL;
--> statement-breakpoint
UPDATE workspaces SET outbox_bytes = (SELECT coalesce(sum(bytes), 0) FROM outbox WHERE workspace_id = workspaces.id)
WHERE id IN (SELECT workspace_id FROM outbox);
--> statement-breakpoint
CREATE TRIGGER outbox_added AFTER INSERT ON outbox BEGIN
  UPDATE workspaces SET outbox_bytes = outbox_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
  UPDATE workspaces SET outbox_bytes = outbox_bytes - OLD.bytes WHERE id = OLD.workspace_id;
END;
