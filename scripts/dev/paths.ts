/** The page with every component in its states, at the service. */
export const galleryPath = "/dashboard/components";

/** The page that opens the example company, at the local identity provider. */
export const examplePath = "/example";

/** Runs the sweep, as the cron trigger does once deployed. */
export const sweepPath = "/dashboard/sweep";
