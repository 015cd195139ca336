/** The characters of QR's alphanumeric mode. */
const alphanumeric = /^[0-9A-Z $%*+./:-]+$/;

/**
 * Returns a code's address in upper case, which makes a smaller symbol; hosts and hashes are case-insensitive.
 * Undefined if the origin has a character that this mode lacks, such as the brackets of an IPv6 address.
 */
export function compactAddress(address: string): string | undefined {
  const compact = address.toUpperCase();
  return alphanumeric.test(compact) ? compact : undefined;
}
