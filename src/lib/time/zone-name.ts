/** Current IANA names of zones for which `Intl` returns an older name, because Unicode's CLDR keeps the first one. */
const currentNames = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

/**
 * Names that `Intl` accepts although they aren't in the IANA database: offsets, and misleading abbreviations of ICU
 * (BST is the time of Dhaka, AST that of Anchorage).
 */
const notIana =
  /^(?![a-z])|^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$|^SystemV\//i;

/**
 * Returns a time zone's current IANA name, in the spelling of the IANA database. Case is ignored; former names and
 * links resolve to their zone (`US/Eastern` to `America/New_York`). Null if there is no such zone.
 */
export function canonicalTimeZone(name: string): string | null {
  if (notIana.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions();
    return currentNames.get(timeZone) ?? timeZone;
  } catch {
    return null;
  }
}

/** Returns whether this is the name of an IANA time zone, in any case. Offsets such as `+02:00` are not. */
export function isTimeZone(name: string): boolean {
  return canonicalTimeZone(name) !== null;
}
