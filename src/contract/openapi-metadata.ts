/** Metadata by which OpenAPI describes a query string's value by its meaning instead of its pattern or spellings. */
export const shownAs = (properties: Readonly<Record<string, unknown>>) => ({
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    delete jsonSchema.pattern;
    delete jsonSchema.enum;
    Object.assign(jsonSchema, properties);
  },
});
