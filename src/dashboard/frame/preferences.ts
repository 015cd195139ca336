/** A person's settings for this browser. Kept in a cookie. */
export interface Preferences {
  /** Whether single-key shortcuts are on. */
  readonly shortcuts: boolean;
}

export const preferencesCookie = "dashboard";

/** How long the cookie is kept, milliseconds. */
export const preferencesMilliseconds = 365 * 24 * 60 * 60_000;

/** Reads the cookie. Unknown values get the default. */
export const readPreferences = (cookie: string | undefined): Preferences => ({
  shortcuts: cookie !== "shortcuts-off",
});

/** Returns the cookie's value. */
export const writePreferences = ({ shortcuts }: Preferences): string =>
  shortcuts ? "shortcuts-on" : "shortcuts-off";
