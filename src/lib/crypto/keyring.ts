/** A secret, with an id that what it encrypted names. */
interface KeyringSecret {
  readonly id: number;
  readonly secret: string;
}

/** The secrets for one purpose, newest first. The first is used; what the others made is still accepted. */
export type Keyring = readonly KeyringSecret[];

/** Returns the name under which a secret is stored: `SESSION_SECRET`, and after its first rotation `SESSION_SECRET_2`. */
export const secretName = (name: string, id: number): string => (id === 1 ? name : `${name}_${id}`);

/** Returns the ids of a secret that are among stored names, newest first. */
export function secretIds(name: string, stored: Iterable<string>): number[] {
  const ids = [...stored].flatMap((each) => {
    if (each === name) return [1];
    const [, id] =
      /^_([2-9]|[1-9]\d{1,14})$/.exec(each.startsWith(name) ? each.slice(name.length) : "") ?? [];
    return id === undefined ? [] : [Number(id)];
  });
  return ids.sort((one, other) => other - one);
}

/**
 * Reads a secret and those that it replaces. Cloudflare can't store empty secrets, so `none` stands for no secret.
 * @param values the Worker's variables and secrets, by their names
 */
export function readKeyring(values: object, name: string): Keyring {
  const byName = new Map<string, unknown>(Object.entries(values));
  return secretIds(name, byName.keys()).flatMap((id) => {
    const secret = byName.get(secretName(name, id));
    return typeof secret === "string" && secret !== "" && secret !== "none" ? [{ id, secret }] : [];
  });
}
