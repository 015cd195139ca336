import { start, type Tables } from "./catalogue/schema-versions.ts";

const tables: Tables = {
  changed_routes: [
    { seq: 3, key: "a", version: 7, at: start },
    { seq: 5, key: "b", version: 2, at: start },
  ],
};

/** The same data in each schema version of a RouteFeed, from version 1. Their tables differ only in how they number. */
export const feedVersions: readonly Tables[] = [tables, tables];
