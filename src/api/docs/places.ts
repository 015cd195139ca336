/** The address of the reference's first page. Each group of endpoints has a page below it, and so have the schemas. */
export const referencePath = "/api/v1/docs";

/** The page of a group of endpoints. */
export const groupPath = (tag: string): string =>
  `${referencePath}/${tag.toLowerCase().replaceAll(" ", "-")}`;

export const schemasPath = `${referencePath}/schemas`;

/** The anchor of a schema on the page of schemas. */
export const schemaAnchor = (name: string): string => `schema-${name}`;
