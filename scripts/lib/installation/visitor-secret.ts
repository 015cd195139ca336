import { secretIds, secretName } from "../../../src/lib/crypto/keyring.ts";
import { randomSecret } from "../../setup/secrets.ts";
import { keep, nextId, readKept } from "./kept-secrets.ts";

/** The secret that both Workers which answer scans have. */
export const visitorSecret = "VISITOR_SECRET";

interface Known {
  /** The names of the secrets that the service has. */
  readonly service: ReadonlySet<string>;
  /** Those of the Worker for scans. */
  readonly edge: ReadonlySet<string>;
  /** The secrets that are going to be stored with the service. */
  readonly values: Readonly<Record<string, string>>;
  /** The folder of the installations' files. */
  readonly folder: string;
  readonly prefix: string;
}

/** Secrets to store, by name. */
interface Shared {
  readonly service: Readonly<Record<string, string>>;
  readonly edge: Readonly<Record<string, string>>;
  /** Whether the service had another one, which only it knows. */
  readonly isReplaced: boolean;
}

/**
 * Decides what to store so that the Worker for scans hashes visitors by the same secret as the service: by another one, a
 * visitor would count as two. What the service has can't be read, so where no file has it, both get a new one.
 */
export async function shareVisitorSecret({ service, edge, values, ...place }: Known): Promise<Shared> {
  const [newest = 1] = secretIds(visitorSecret, [...service, ...Object.keys(values)]);
  const name = secretName(visitorSecret, newest);
  const given = values[name];
  if (given !== undefined) return { service: {}, edge: { [name]: given }, isReplaced: false };
  if (secretIds(visitorSecret, edge)[0] === newest) return { service: {}, edge: {}, isReplaced: false };
  const last = Math.max(newest, ...secretIds(visitorSecret, edge));
  const kept = (await readKept(place)).find((each) => each.name === visitorSecret && each.id >= last);
  const id = kept?.id ?? nextId(last, Date.now());
  const value = kept?.value ?? randomSecret();
  if (kept === undefined) await keep({ name: visitorSecret, id, value }, place);
  const stored = { [secretName(visitorSecret, id)]: value };
  return { service: id === newest ? {} : stored, edge: stored, isReplaced: id !== newest };
}
