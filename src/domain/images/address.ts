/** The characters of QR's alphanumeric mode. */
const alphanumeric = /^[0-9A-Z $%*+./:-]+$/;

/**
 * A code's address in upper case, which makes a smaller symbol: hosts and hashes are found in any case. Undefined where the origin
 * has a character that this mode lacks, as that of an IPv6 address.
 */
export function compactAddress(scanOrigin: string, hash: string): string | undefined {
  const address = `${scanOrigin}/${hash}`.toUpperCase();
  return alphanumeric.test(address) ? address : undefined;
}
