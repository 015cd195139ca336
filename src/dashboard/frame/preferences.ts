/** A person's choices for this browser. Kept in a cookie. */
export interface Preferences {
  /** Whether single keys are shortcuts. */
  readonly shortcuts: boolean;
}

export const preferencesCookie = "dashboard";

/** How long the cookie is kept, milliseconds. */
export const preferencesMilliseconds = 365 * 24 * 60 * 60_000;

/** Reads the cookie. Anything unknown is the default. */
export const readPreferences = (cookie: string | undefined): Preferences => ({
  shortcuts: cookie !== "shortcuts-off",
});

/** The value of the cookie. */
export const writePreferences = ({ shortcuts }: Preferences): string =>
  shortcuts ? "shortcuts-on" : "shortcuts-off";
