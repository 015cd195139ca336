/** Returns a function that makes a value when it is first called, since what loads with a page delays its first request. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
