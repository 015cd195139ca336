/**
 * Returns the method and path of each row in the source of the dashboard's route table, for tests that can't import its
 * pages.
 */
export const readRouteTable = (source: string): [method: string, path: string][] =>
  [...source.matchAll(/\[\s*"(GET|POST)",\s*"([^"]+)"/g)].map(([, method = "", path = ""]) => [method, path]);
