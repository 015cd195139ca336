/**
 * Version 8: agents, places and referrers get the day on which they were first seen, UTC, since the epoch; 0 for those of
 * before. Their bounds a day need it.
 */
export const entryDays = `
ALTER TABLE agents ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE places ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE referrers ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
`;
