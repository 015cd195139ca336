/**
 * Version 4: webhooks get `pending_events`, the events in their pending deliveries, counted by triggers as `ended_events`
 * is.
 */
export const pendingEvents = `
ALTER TABLE webhooks ADD COLUMN pending_events INTEGER NOT NULL DEFAULT 0;
UPDATE webhooks SET pending_events =
  (SELECT coalesce(sum(event_count), 0) FROM deliveries d WHERE d.webhook = webhooks.ref AND d.completed_at IS NULL);

DROP TRIGGER deliveries_inserted;
CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries BEGIN
  UPDATE webhooks SET
    ended_events = ended_events + iif(NEW.completed_at IS NULL, 0, NEW.event_count),
    pending_events = pending_events + iif(NEW.completed_at IS NULL, NEW.event_count, 0)
  WHERE ref = NEW.webhook;
END;
DROP TRIGGER deliveries_updated;
CREATE TRIGGER deliveries_updated AFTER UPDATE OF completed_at ON deliveries
WHEN (NEW.completed_at IS NULL) <> (OLD.completed_at IS NULL) BEGIN
  UPDATE webhooks SET
    ended_events = ended_events + iif(NEW.completed_at IS NULL, -1, 1) * NEW.event_count,
    pending_events = pending_events - iif(NEW.completed_at IS NULL, -1, 1) * NEW.event_count
  WHERE ref = NEW.webhook;
END;
DROP TRIGGER deliveries_deleted;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
  UPDATE webhooks SET
    ended_events = ended_events - iif(OLD.completed_at IS NULL, 0, OLD.event_count),
    pending_events = pending_events - iif(OLD.completed_at IS NULL, OLD.event_count, 0)
  WHERE ref = OLD.webhook;
END;
`;
