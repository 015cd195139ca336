/**
 * Returns the method and path of each row in the source of a table of the dashboard's routes, for tests that can't import
 * its pages.
 */
export const readRouteTable = (source: string): [method: string, path: string][] =>
  [...source.matchAll(/\[\s*"(GET|POST)",\s*"([^"]+)"|\.\.\.form\(\s*"([^"]+)"/g)].flatMap(
    ([, method = "", path = "", form]): [string, string][] =>
      form === undefined
        ? [[method, path]]
        : [
            ["GET", form],
            ["POST", form],
          ],
  );
