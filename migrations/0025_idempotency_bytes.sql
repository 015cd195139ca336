-- The stored responses of requests with an Idempotency-Key take up room until they are deleted after a day. A form of the
-- dashboard that only claims its key stores none.
ALTER TABLE idempotency_records ADD COLUMN bytes integer GENERATED ALWAYS AS (
  iif(response = 'null', 0, 250 + length(CAST(key AS BLOB)) + length(CAST(response AS BLOB)))) VIRTUAL;
--> statement-breakpoint
-- Counting what is stored already may take a workspace beyond its limit, which must not stop the migration.
DROP TRIGGER workspaces_full;
--> statement-breakpoint
UPDATE workspaces SET stored_bytes = stored_bytes + r.bytes
FROM (SELECT workspace_id, sum(bytes) AS bytes FROM idempotency_records GROUP BY workspace_id) r
WHERE r.workspace_id = workspaces.id AND r.bytes > 0;
--> statement-breakpoint
CREATE TRIGGER workspaces_full AFTER UPDATE OF stored_bytes ON workspaces
WHEN NEW.stored_bytes > OLD.stored_bytes AND NEW.stored_bytes + NEW.job_bytes > NEW.storage_limit BEGIN
  SELECT RAISE(ABORT, 'workspace storage is full');
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_records_created AFTER INSERT ON idempotency_records WHEN NEW.bytes > 0 BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes + NEW.bytes WHERE id = NEW.workspace_id;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_records_deleted AFTER DELETE ON idempotency_records WHEN OLD.bytes > 0 BEGIN
  UPDATE workspaces SET stored_bytes = stored_bytes - OLD.bytes WHERE id = OLD.workspace_id;
END;
