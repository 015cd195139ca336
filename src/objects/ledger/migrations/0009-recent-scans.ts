/** Version 9: the table of the last calls' scans gets the name that the code uses. */
export const recentScans = `
ALTER TABLE arrivals RENAME TO recent_scans;
`;
