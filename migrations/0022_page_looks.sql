-- Pages that were made before pages had a look, a scheme and a header image get the defaults.
UPDATE pages
SET content = json_insert(content, '$.look', 'plain', '$.scheme', 'auto', '$.header', NULL),
    version = version + 1
WHERE deleted_at IS NULL AND json_type(content, '$.look') IS NULL;
