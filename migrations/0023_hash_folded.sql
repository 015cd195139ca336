ALTER TABLE `qr_codes` ADD `hash_folded` text;--> statement-breakpoint
-- Of codes whose hashes look alike, the first has the folded hash, and the later ones have none.
UPDATE qr_codes SET hash_folded = f.folded
FROM (
  SELECT id, folded, row_number() OVER (PARTITION BY folded ORDER BY created_at, id) AS place
  FROM (SELECT id, created_at, replace(replace(replace(hash, 'o', '0'), 'i', '1'), 'l', '1') AS folded FROM qr_codes)
) f
WHERE f.id = qr_codes.id AND f.place = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `qr_codes_hash_folded` ON `qr_codes` (`hash_folded`);