CREATE TABLE `page_image_uses` (
	`page_id` text NOT NULL,
	`image_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	PRIMARY KEY(`page_id`, `image_id`)
);
--> statement-breakpoint
CREATE INDEX `page_image_uses_image` ON `page_image_uses` (`workspace_id`,`image_id`);--> statement-breakpoint
CREATE INDEX `templates_logo` ON `templates` (`workspace_id`,`logo_id`) WHERE logo_id IS NOT NULL;
--> statement-breakpoint
-- The ids in addresses of stored images, which end with them. A page without any costs nothing.
CREATE TRIGGER page_image_uses_created AFTER INSERT ON pages WHEN instr(NEW.content, '/page-images/') BEGIN
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT NEW.id, substr(j.value, -64), NEW.workspace_id FROM json_tree(NEW.content) j
    WHERE j.type = 'text' AND instr(j.value, '/page-images/');
END;
--> statement-breakpoint
CREATE TRIGGER page_image_uses_changed AFTER UPDATE OF content ON pages
WHEN instr(NEW.content, '/page-images/') OR instr(OLD.content, '/page-images/') BEGIN
  DELETE FROM page_image_uses WHERE page_id = NEW.id;
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT NEW.id, substr(j.value, -64), NEW.workspace_id FROM json_tree(NEW.content) j
    WHERE j.type = 'text' AND instr(j.value, '/page-images/');
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT NEW.id, substr(j.value, -64), NEW.workspace_id FROM page_drafts d CROSS JOIN json_tree(d.content) j
    WHERE d.page_id = NEW.id AND j.type = 'text' AND instr(j.value, '/page-images/');
END;
--> statement-breakpoint
CREATE TRIGGER page_image_uses_drafted AFTER INSERT ON page_drafts WHEN instr(NEW.content, '/page-images/') BEGIN
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT NEW.page_id, substr(j.value, -64), NEW.workspace_id FROM json_tree(NEW.content) j
    WHERE j.type = 'text' AND instr(j.value, '/page-images/');
END;
--> statement-breakpoint
CREATE TRIGGER page_image_uses_redrafted AFTER UPDATE OF content ON page_drafts
WHEN instr(NEW.content, '/page-images/') OR instr(OLD.content, '/page-images/') BEGIN
  DELETE FROM page_image_uses WHERE page_id = NEW.page_id;
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT NEW.page_id, substr(j.value, -64), NEW.workspace_id FROM json_tree(NEW.content) j
    WHERE j.type = 'text' AND instr(j.value, '/page-images/');
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT NEW.page_id, substr(j.value, -64), NEW.workspace_id FROM pages p CROSS JOIN json_tree(p.content) j
    WHERE p.id = NEW.page_id AND j.type = 'text' AND instr(j.value, '/page-images/');
END;
--> statement-breakpoint
CREATE TRIGGER page_image_uses_undrafted AFTER DELETE ON page_drafts WHEN instr(OLD.content, '/page-images/') BEGIN
  DELETE FROM page_image_uses WHERE page_id = OLD.page_id;
  INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
    SELECT p.id, substr(j.value, -64), p.workspace_id FROM pages p CROSS JOIN json_tree(p.content) j
    WHERE p.id = OLD.page_id AND j.type = 'text' AND instr(j.value, '/page-images/');
END;
--> statement-breakpoint
CREATE TRIGGER page_image_uses_deleted AFTER DELETE ON pages BEGIN
  DELETE FROM page_image_uses WHERE page_id = OLD.id;
END;
--> statement-breakpoint
INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
  SELECT p.id, substr(j.value, -64), p.workspace_id FROM pages p CROSS JOIN json_tree(p.content) j
  WHERE p.erased_at IS NULL AND instr(p.content, '/page-images/') AND j.type = 'text' AND instr(j.value, '/page-images/');
--> statement-breakpoint
INSERT OR IGNORE INTO page_image_uses (page_id, image_id, workspace_id)
  SELECT d.page_id, substr(j.value, -64), d.workspace_id FROM page_drafts d CROSS JOIN json_tree(d.content) j
  WHERE instr(d.content, '/page-images/') AND j.type = 'text' AND instr(j.value, '/page-images/');
