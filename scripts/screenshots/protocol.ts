/** The header with the time of a request, epoch milliseconds. */
export const clockHeader = "x-now";

/** Records a batch of scans. */
export const scansPath = "/staged-scans";
