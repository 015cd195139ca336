import { afterEach, expect, it, vi } from "vitest";
import { accountRoutes } from "../src/dashboard/account/app.tsx";
import { invitationRoutes } from "../src/dashboard/account/invitation-app.tsx";
import { passkeyRoutes } from "../src/dashboard/account/passkey-app.tsx";
import { dashboardFiles } from "../src/dashboard/assets/files.ts";
import { operatorRoutes } from "../src/dashboard/operator/routes.ts";
import { routes } from "../src/dashboard/routes.ts";
import { createHostedPages } from "../src/hosted-pages/app.ts";
import { createSharedReports } from "../src/shared-reports/app.tsx";
import { bodyHeaders, method, table, validBody } from "./support/endpoints.ts";
import { runs } from "./support/runner/runs.ts";
import { Service } from "./support/service.ts";

/** The catalogue fails at once, so every route that reads it is answered 5xx. */
const broken = new Service({ db: {} as D1Database });
const { deps } = broken;
const { appOrigin } = deps.settings;

/** Values in a path, in each form that is not answered 404 before the catalogue is read. */
const secrets = [
  ...["5ec2e7ab".repeat(5), "5ec2e7ab-5ec2-7ab5-8ec2-5ec2e7ab5ec2", "5ec2e7ab".repeat(4)],
  "5ec2e7ab.example",
];

interface Row {
  readonly route: string;
  readonly path: string;
  readonly init?: { readonly headers?: Record<string, string>; readonly body?: string };
}

const registered = (
  app: { readonly routes: readonly { method: string; path: string }[] },
  base = "",
): Row[] =>
  app.routes
    .filter(({ path }) => !path.endsWith("*") && !path.includes("/assets/"))
    .map(({ method, path }) => ({ route: `${method} ${base}${path}`, path: base + path }));

const api = table.map((endpoint): Row => {
  const { name, auth, path } = endpoint;
  const credentials = { key: `sk_live_${"x".repeat(32)}`, operator: broken.operatorSecret };
  const body = validBody[name];
  const hasBody = body !== undefined;
  return {
    route: `${method(endpoint)} /api/v1${path}`,
    path: `/api/v1${path}`,
    init: {
      headers: {
        ...(auth === "session" || auth === "person" ? {} : { authorization: `Bearer ${credentials[auth]}` }),
        ...(hasBody ? { "content-type": "application/json", ...bodyHeaders(endpoint) } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
    },
  };
});

/** All routes with a parameter, by the part of the service. */
const parts: Readonly<Record<string, readonly Row[]>> = {
  "the API": api,
  "the dashboard": [
    ...routes.map(([verb, path]) => ({ route: `${verb} /dashboard${path}`, path: `/dashboard${path}` })),
    ...[accountRoutes(), passkeyRoutes(), invitationRoutes()].flatMap((app) => registered(app, "/dashboard")),
  ],
  "the operator's pages": operatorRoutes.map(([verb, path]) => ({
    route: `${verb} /operator${path}`,
    path: `/operator${path}`,
  })),
  "hosted pages": registered(createHostedPages(deps)),
  "shared reports": registered(createSharedReports(deps, dashboardFiles)),
};

const { cookie } = await new Service().session();
afterEach(() => vi.restoreAllMocks());

/** Sends a request as a member and the operator. @returns its status, and the lines of the log */
async function logged({ route, path, init = {} }: Row, secret: string) {
  const lines: string[] = [];
  for (const level of ["log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line)));
  }
  const headers = { cookie: `${cookie}; operator=${"x".repeat(43)}`, origin: appOrigin, ...init.headers };
  const [verb = ""] = route.split(" ");
  const given = path.replace(/:\w+|\{\w+\}/g, secret);
  const { status } = await broken.fetch(given, { ...init, method: verb, headers });
  vi.restoreAllMocks();
  return { status, log: lines.join("\n"), given };
}

it.each(Object.entries(parts))(
  "errors of %s are logged by their route, never by their path",
  async (_, rows) => {
    const answered: string[] = [];
    for (const row of rows.filter(({ path }) => /[:{]\w/.test(path))) {
      const shown = row.route.replace(/:(\w+)/g, "{$1}");
      let failed = false;
      for (const secret of secrets) {
        // The first form that is not answered 404 shows how the route is logged.
        if (failed && runs(1, secrets.length) === 1) break;
        const { status, log, given } = await logged(row, secret);
        expect(log).not.toContain(given);
        // Ids are logged under names of their own, tokens nowhere.
        if (row.path.includes("token")) expect(log).not.toContain(secret.slice(0, 8));
        failed ||= status >= 500 && (log.includes(shown) || row.path.startsWith("/pages/"));
      }
      if (!failed) answered.push(row.route);
    }
    expect(answered).toEqual([]);
  },
);
