/** Version 3. `erased`: a submission was taken out of the delivery's body. */
export const bounds = `
ALTER TABLE deliveries ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
`;
