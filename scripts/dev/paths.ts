/** The page with every component in its states, at the service. */
export const galleryPath = "/dashboard/components";

/** The page that opens the example company, at the local identity provider. */
export const examplePath = "/example";
