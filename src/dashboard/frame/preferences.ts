/** The colours of the dashboard: as the device is set, or one of both. */
export const schemes = ["auto", "light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** A person's settings for this browser. Kept in cookies. */
export interface Preferences {
  /** Whether single-key shortcuts are on. */
  readonly shortcuts: boolean;
  /** How the list of codes was shown last; empty for as by default. */
  readonly codes: string;
  readonly scheme: Scheme;
}

/** How long the cookies are kept, milliseconds. */
export const preferencesMilliseconds = 365 * 24 * 60 * 60_000;

/** The cookies of the preferences. 1.1.0 knows the first. */
const cookies = { shortcuts: "dashboard", codes: "dashboard-codes", scheme: "dashboard-scheme" } as const;

/** Reads the cookies. Unknown values get the default. */
export const readPreferences = (cookieOf: (name: string) => string | undefined): Preferences => ({
  shortcuts: cookieOf(cookies.shortcuts) !== "shortcuts-off",
  codes: cookieOf(cookies.codes) ?? "",
  scheme: readScheme(cookieOf(cookies.scheme)),
});

/** Returns the scheme of that name; the default for any other name. */
export const readScheme = (name: string | null | undefined): Scheme =>
  schemes.find((scheme) => scheme === name) ?? "auto";

/** Returns the cookies of preferences that have changed, with their values. */
export const writePreferences = ({
  shortcuts,
  codes,
  scheme,
}: Partial<Preferences>): [name: string, value: string][] => [
  ...(shortcuts === undefined
    ? []
    : [write(cookies.shortcuts, shortcuts ? "shortcuts-on" : "shortcuts-off")]),
  ...(codes === undefined ? [] : [write(cookies.codes, codes)]),
  ...(scheme === undefined ? [] : [write(cookies.scheme, scheme)]),
];

const write = (name: string, value: string): [string, string] => [name, value];
