/**
 * Defines state that a feature keeps in each isolate's memory. It is keyed by the isolate's dependencies, because tests
 * run several isolates in one process.
 * @returns a function from an isolate's dependencies to its state, which is created on first use
 */
export function perIsolate<Memory, Deps extends object = object>(
  create: (deps: Deps) => Memory,
): (deps: Deps) => Memory {
  const memories = new WeakMap<Deps, Memory>();
  return (deps) => {
    const existing = memories.get(deps);
    if (existing !== undefined) return existing;
    const created = create(deps);
    memories.set(deps, created);
    return created;
  };
}
