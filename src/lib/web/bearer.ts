/**
 * Returns the token of an `Authorization: Bearer` header; undefined for any other header. (Hono's own middleware also
 * verifies tokens.)
 */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
