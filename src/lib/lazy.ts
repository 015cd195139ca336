/**
 * Returns a function that makes a value on its first call, since work done while modules load delays the first request.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
