-- The name for searching, with case folded in every script; null where the name is ASCII, which SQL can fold.
ALTER TABLE `qr_codes` ADD `name_folded` text;
