-- Triggers on qr_codes maintain the workspace's count of live codes and the rows of the tag filter, so that every
-- statement that writes codes keeps them correct.
CREATE TRIGGER qr_codes_created AFTER INSERT ON qr_codes BEGIN
  UPDATE workspaces SET live_codes = live_codes + 1 WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_tagged AFTER INSERT ON qr_codes WHEN NEW.tags <> '[]' BEGIN
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_retagged AFTER UPDATE OF tags ON qr_codes
WHEN NEW.tags <> OLD.tags AND NEW.deleted_at IS NULL BEGIN
  DELETE FROM qr_tags WHERE qr_id = NEW.id;
  INSERT INTO qr_tags (workspace_id, tag, qr_id)
    SELECT NEW.workspace_id, value, NEW.id FROM json_each(NEW.tags);
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_deleted AFTER UPDATE OF deleted_at ON qr_codes
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE workspaces SET live_codes = live_codes - 1 WHERE id = NEW.workspace_id;
  DELETE FROM qr_tags WHERE qr_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER qr_codes_rerouted AFTER UPDATE OF data, status, deleted_at ON qr_codes
WHEN NEW.data <> OLD.data OR NEW.status <> OLD.status OR NEW.deleted_at IS NOT OLD.deleted_at BEGIN
  INSERT INTO unsettled_routes (hash, version, changed_at) VALUES (NEW.hash, NEW.version, NEW.updated_at)
    ON CONFLICT (hash) DO UPDATE SET version = excluded.version, changed_at = excluded.changed_at;
END;
