CREATE TABLE `abuse_report_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`open` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `abuse_reports` ADD `other_reports` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `abuse_reports_open_workspace` ON `abuse_reports` (`workspace_id`,`id`) WHERE status = 'open';--> statement-breakpoint
INSERT INTO `abuse_report_count` (`id`, `open`) SELECT 1, count(*) FROM `abuse_reports` WHERE `status` = 'open';
--> statement-breakpoint
-- Open abuse reports are counted, because reading them all to bound them would cost more than a report.
CREATE TRIGGER abuse_reports_opened AFTER INSERT ON abuse_reports WHEN NEW.status = 'open' BEGIN
  INSERT INTO abuse_report_count (id, open) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET open = open + 1;
END;
--> statement-breakpoint
CREATE TRIGGER abuse_reports_closed AFTER UPDATE OF status ON abuse_reports
WHEN OLD.status = 'open' AND NEW.status <> 'open' BEGIN
  UPDATE abuse_report_count SET open = open - 1;
END;
--> statement-breakpoint
CREATE TRIGGER abuse_reports_pruned AFTER DELETE ON abuse_reports WHEN OLD.status = 'open' BEGIN
  UPDATE abuse_report_count SET open = open - 1;
END;
