/** The code with which a newcomer takes the first steps, in this browser. Kept in a cookie. */
export interface FirstCode {
  readonly id: string;
  /** Whether its image was downloaded there. */
  readonly isDownloaded: boolean;
}

export const firstCodeCookie = "first-code";

/** How long the cookie is kept, milliseconds. */
export const firstCodeMilliseconds = 7 * 24 * 60 * 60_000;

/** Reads the cookie. */
export function readFirstCode(cookie: string | undefined): FirstCode | null {
  const [, id, downloaded] = /^([0-9a-f-]{36})(\.downloaded)?$/.exec(cookie ?? "") ?? [];
  return id === undefined ? null : { id, isDownloaded: downloaded !== undefined };
}

/** Returns the cookie's value. */
export const writeFirstCode = ({ id, isDownloaded }: FirstCode): string =>
  isDownloaded ? `${id}.downloaded` : id;
