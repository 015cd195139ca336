/** The headers of a webhook's own, as JSON, with their values encrypted; NULL for none. */
export const headersOfWebhooks = `
ALTER TABLE webhooks ADD COLUMN headers TEXT;
`;
