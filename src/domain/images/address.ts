/** The characters of QR's alphanumeric mode. */
const alphanumeric = /^[0-9A-Z $%*+./:-]+$/;

/**
 * Returns a code's address with all but its scheme in upper case, which makes a smaller symbol; hosts and hashes are
 * case-insensitive. The scheme stays as it is, since some cameras and scanner apps open no `HTTPS://`. Undefined if the
 * origin has a character that this mode lacks, such as the brackets of an IPv6 address.
 */
export function compactAddress(address: string): string | undefined {
  const end = address.indexOf(":");
  const compact = address.slice(end).toUpperCase();
  return alphanumeric.test(compact) ? address.slice(0, end) + compact : undefined;
}
