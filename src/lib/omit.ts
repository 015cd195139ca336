/** Returns a copy of an object without some of its properties. */
export function omit<T extends object, Name extends keyof T>(object: T, ...names: Name[]): Omit<T, Name> {
  const rest = { ...object };
  for (const name of names) Reflect.deleteProperty(rest, name);
  return rest;
}
