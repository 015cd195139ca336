/** The token of an `Authorization: Bearer` header; undefined for any other header. (Hono's own verifies tokens too.) */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
