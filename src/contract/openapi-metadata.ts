/** Makes OpenAPI describe a query parameter's value by meaning instead of by pattern or accepted spellings. */
export const shownAs = (properties: Readonly<Record<string, unknown>>) => ({
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    delete jsonSchema.pattern;
    delete jsonSchema.enum;
    Object.assign(jsonSchema, properties);
  },
});
