/** The API key that created a webhook or last changed its URL; NULL for a person. */
export const keysOfWebhooks = `
ALTER TABLE webhooks ADD COLUMN key_id TEXT;
`;
