import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { brandOf, changeBrand } from "../../domain/brand/brand.ts";
import { addLogo, deleteLogo, renameLogo } from "../../domain/brand/logos.ts";
import { getLogo } from "../../domain/logos/logos.ts";
import { bind, bindFile } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function brandRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.getBrand, ({ deps, caller }) => brandOf(deps, caller));
  bind(app, endpoints.updateBrand, ({ deps, caller, body }) => changeBrand(deps, caller, body));
  bind(app, endpoints.createBrandLogo, ({ deps, caller, body }) => addLogo(deps, caller, body));
  bind(app, endpoints.updateBrandLogo, ({ deps, caller, params, body }) =>
    renameLogo(deps, caller, params.id, body.name),
  );
  bind(app, endpoints.deleteBrandLogo, ({ deps, caller, params }) => deleteLogo(deps, caller, params.id));
  bindFile(app, endpoints.getBrandLogo, ({ deps, caller, params }) => getLogo(deps, caller, params.id));
}
