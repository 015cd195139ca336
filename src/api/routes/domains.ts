import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  checkDomain,
  createDomain,
  deleteDomain,
  getVersionedDomain,
  listDomains,
  restoreDomain,
  updateDomain,
  type VersionedDomain,
} from "../../domain/domains/domains.ts";
import { getDomainVisits } from "../../domain/scans/closed.ts";
import { bind, bindVersioned, type Call } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function domainRoutes(app: Hono<ApiEnv>): void {
  bindVersioned(app, endpoints.createDomain, async ({ deps, caller, body }) =>
    versioned(await createDomain(deps, caller, body)),
  );
  bind(app, endpoints.listDomains, ({ deps, caller }) => listDomains(deps, caller));
  bindVersioned(app, endpoints.getDomain, read, read);
  bind(app, endpoints.getDomainVisits, ({ deps, caller, params }) =>
    getDomainVisits(deps, caller, params.id),
  );
  bindVersioned(
    app,
    endpoints.updateDomain,
    async ({ deps, caller, params, body, versions }) =>
      versioned(await updateDomain(deps, caller, params.id, body, versions)),
    read,
  );
  bind(
    app,
    endpoints.checkDomain,
    async ({ deps, caller, params }) => (await checkDomain(deps, caller, params.id)).domain,
  );
  bindVersioned(
    app,
    endpoints.deleteDomain,
    async ({ deps, caller, params, query, versions }) => ({
      response: await deleteDomain(deps, caller, params.id, query.host, versions),
    }),
    read,
  );
  bind(app, endpoints.restoreDomain, ({ deps, caller, params }) => restoreDomain(deps, caller, params.id));
}

const versioned = ({ domain, version }: VersionedDomain) => ({ response: domain, version });

const read = async ({
  deps,
  caller,
  params,
}: Pick<Call<typeof endpoints.getDomain>, "deps" | "caller" | "params">) =>
  versioned(await getVersionedDomain(deps, caller, params.id));
