import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  createSavedList,
  deleteSavedList,
  getSavedList,
  listSavedLists,
  restoreSavedList,
  updateSavedList,
} from "../../domain/codes/saved-lists.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function savedListRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createSavedList, ({ deps, caller, body }) => createSavedList(deps, caller, body));
  bind(app, endpoints.listSavedLists, ({ deps, caller }) => listSavedLists(deps, caller));
  bind(app, endpoints.getSavedList, ({ deps, caller, params }) => getSavedList(deps, caller, params.id));
  bind(app, endpoints.updateSavedList, ({ deps, caller, params, body }) =>
    updateSavedList(deps, caller, params.id, body),
  );
  bind(app, endpoints.deleteSavedList, ({ deps, caller, params }) =>
    deleteSavedList(deps, caller, params.id),
  );
  bind(app, endpoints.restoreSavedList, ({ deps, caller, params }) =>
    restoreSavedList(deps, caller, params.id),
  );
}
