import { registerHooks } from "node:module";

/**
 * Loaded before code generators: they write TypeScript with the JavaScript API of the compiler, which version 7 does
 * not have. They get version 5 in its place.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === "typescript" ? "typescript-5" : specifier, context),
});
