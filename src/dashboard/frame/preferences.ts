/** A person's settings for this browser. Kept in cookies. */
export interface Preferences {
  /** Whether single-key shortcuts are on. */
  readonly shortcuts: boolean;
  /** How the list of codes was shown last; empty for as by default. */
  readonly codes: string;
}

/** How long the cookies are kept, milliseconds. */
export const preferencesMilliseconds = 365 * 24 * 60 * 60_000;

/** The cookies of the preferences. 1.1.0 knows the first. */
const cookies = { shortcuts: "dashboard", codes: "dashboard-codes" } as const;

/** Reads the cookies. Unknown values get the default. */
export const readPreferences = (cookieOf: (name: string) => string | undefined): Preferences => ({
  shortcuts: cookieOf(cookies.shortcuts) !== "shortcuts-off",
  codes: cookieOf(cookies.codes) ?? "",
});

/** Returns the cookies of preferences that have changed, with their values. */
export const writePreferences = ({
  shortcuts,
  codes,
}: Partial<Preferences>): [name: string, value: string][] => [
  ...(shortcuts === undefined
    ? []
    : [write(cookies.shortcuts, shortcuts ? "shortcuts-on" : "shortcuts-off")]),
  ...(codes === undefined ? [] : [write(cookies.codes, codes)]),
];

const write = (name: string, value: string): [string, string] => [name, value];
