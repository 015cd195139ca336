import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  createFolder,
  deleteFolder,
  listFolders,
  renameFolder,
  restoreFolder,
} from "../../domain/folders/folders.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function folderRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listFolders, ({ deps, caller, query }) => listFolders(deps, caller, query));
  bind(app, endpoints.createFolder, ({ deps, caller, body }) => createFolder(deps, caller, body));
  bind(app, endpoints.renameFolder, ({ deps, caller, params, body }) =>
    renameFolder(deps, caller, params.id, body),
  );
  bind(app, endpoints.deleteFolder, ({ deps, caller, params }) => deleteFolder(deps, caller, params.id));
  bind(app, endpoints.restoreFolder, ({ deps, caller, params }) => restoreFolder(deps, caller, params.id));
}
