import { describe, expect, it } from "vitest";
import { createApi } from "../src/api/app.ts";
import { createDashboard } from "../src/dashboard/app.tsx";
import { dashboardFiles } from "../src/dashboard/assets/files.ts";
import { createOperatorPages } from "../src/dashboard/operator/app.tsx";
import { operatorRoutes } from "../src/dashboard/operator/routes.ts";
import { routes } from "../src/dashboard/routes.ts";
import { method, table } from "./support/endpoints.ts";
import { Service } from "./support/service.ts";

/**
 * Every route is a row of a table, or named here. So what the middleware does for one row of a class, it does for all of
 * them.
 */

const { deps } = new Service();

/** The mounted routes, each once, without the middleware's. */
const mounted = (app: { readonly routes: readonly { readonly method: string; readonly path: string }[] }) =>
  [
    ...new Set(
      app.routes.filter((each) => each.method !== "ALL").map((each) => `${each.method} ${each.path}`),
    ),
  ].sort();

/** Routes without a session, each with a check of its own. */
const withoutSession = [
  "GET /dashboard/assets/:file",
  "GET /dashboard/callback",
  "GET /dashboard/invitations/:token",
  "GET /dashboard/invitations/:token/logo",
  "GET /dashboard/links/:token",
  "GET /dashboard/sign-in",
  "GET /dashboard/sign-in/again",
  "GET /dashboard/sign-in/again/:token",
  "GET /dashboard/sign-in/again/provider",
  "GET /dashboard/sign-in/provider",
  "GET /dashboard/sign-up",
  "GET /dashboard/signed-out",
  "GET /dashboard/start",
  "GET /dashboard/tour",
  "GET /dashboard/tour/pictures/:file",
  "POST /dashboard/first-workspace",
  "POST /dashboard/invitations/:token",
  "POST /dashboard/links/:token",
  "POST /dashboard/sign-in",
  "POST /dashboard/sign-in/again",
  "POST /dashboard/sign-in/again/:token",
  "POST /dashboard/sign-out",
  "POST /dashboard/sign-out-everywhere",
  "POST /dashboard/sign-up",
];
const operatorSignIn = ["GET /operator/sign-in", "POST /operator/sign-in", "POST /operator/sign-out"];

const rowsAt = (base: string, rows: readonly (readonly [string, string, ...unknown[]])[]) =>
  rows.map(([verb, path]) => `${verb} ${base}${path.replace(/^\/$/, "")}`);

describe("every mounted route", () => {
  it("of the API is in its table, except for the documentation", () => {
    const documentation = [
      "/openapi.json",
      "/docs",
      "/docs/:part{[a-z-]+}",
      "/docs/:file{[\\w-]+\\.(?:js|woff2)}",
      "/docs/:page{[\\w/-]+\\.md}",
      "/README.md",
    ];
    const rows = table.map((each) => `${method(each)} /api/v1${each.path.replace(/\{(\w+)\}/g, ":$1")}`);
    expect(mounted(createApi(deps))).toEqual(
      [...rows, ...documentation.map((path) => `GET /api/v1${path}`)].sort(),
    );
  });

  it("of the dashboard is in its table, except for those without a session", () => {
    expect(mounted(createDashboard(deps))).toEqual(
      [...rowsAt("/dashboard", routes), ...withoutSession].sort(),
    );
  });

  it("of the operator is in its table, except for the sign-in", () => {
    expect(mounted(createOperatorPages(deps, dashboardFiles))).toEqual(
      [...rowsAt("/operator", operatorRoutes), ...operatorSignIn].sort(),
    );
  });
});
