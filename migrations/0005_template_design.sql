ALTER TABLE `templates` ADD `advanced` text;--> statement-breakpoint
-- A template's bytes count its design, too. A generated column can't be changed, nor dropped while triggers read it.
DROP TRIGGER templates_created;
--> statement-breakpoint
DROP TRIGGER templates_resized;
--> statement-breakpoint
DROP TRIGGER templates_deleted;
--> statement-breakpoint
ALTER TABLE templates DROP COLUMN bytes;
--> statement-breakpoint
ALTER TABLE templates ADD COLUMN bytes integer GENERATED ALWAYS AS (
  250 + length(CAST(name AS BLOB)) + coalesce(length(CAST(color_config AS BLOB)), 0)
  + coalesce(length(CAST(advanced AS BLOB)), 0)) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER templates_created AFTER INSERT ON templates BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER templates_resized AFTER UPDATE OF name, color_config, advanced ON templates
WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes - OLD.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER templates_deleted AFTER DELETE ON templates BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes - OLD.bytes WHERE id = OLD.workspace_id;
END;
