/** Returns the value at a path such as `data.address.city`; undefined if there is none. */
export const valueAt = (object: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], object);

/** Sets the value at a path, creating missing objects along the way. */
export function setAt(object: Record<string, unknown>, path: string, value: unknown): void {
  const [key = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  object[key] ??= {};
  setAt(object[key] as Record<string, unknown>, rest.join("."), value);
}
