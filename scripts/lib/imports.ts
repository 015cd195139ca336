/** Returns what a module imports, as written there, including types and modules that are loaded later. */
export const importsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*"([^"\s]+)"/g)].map(([, specifier = ""]) => specifier);
