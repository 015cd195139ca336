import type { Deps } from "./deps.ts";

/**
 * Memory that a feature keeps for the life of an isolate. An isolate builds its dependencies once, so they identify it;
 * tests run several isolates beside each other.
 * @returns a function from an isolate's dependencies to its memory, created on first use
 */
export function perIsolate<Memory>(create: (deps: Deps) => Memory): (deps: Deps) => Memory {
  const memories = new WeakMap<Deps, Memory>();
  return (deps) => {
    const existing = memories.get(deps);
    if (existing !== undefined) return existing;
    const created = create(deps);
    memories.set(deps, created);
    return created;
  };
}
