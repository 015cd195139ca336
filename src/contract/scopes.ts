import type { EventKind, Scope } from "./resources/enums.ts";

/** The name of each scope, and the rights that it gives. */
export const scopeTexts: Readonly<Record<Scope, { readonly name: string; readonly about: string }>> = {
  "qr:read": { name: "Read codes", about: "List and read codes, folders, saved lists, bulk jobs and images" },
  "qr:write": {
    name: "Edit codes",
    about: "Create, edit and delete them, one by one or in bulk. Includes reading",
  },
  "scans:read": { name: "Read scans", about: "Lists, exports and reports of scans" },
  "webhooks:read": {
    name: "Read webhooks",
    about: "List webhooks, and read the deliveries of events that the other scopes can read",
  },
  "webhooks:write": {
    name: "Edit webhooks",
    about: "Create, edit and delete webhooks for events that the other scopes can read. Includes reading",
  },
  "templates:read": { name: "Read templates", about: "List and read templates, logos and the brand" },
  "templates:write": { name: "Edit templates", about: "Create, edit and delete them. Includes reading" },
  "pages:read": { name: "Read pages", about: "List and read hosted pages" },
  "pages:write": { name: "Edit pages", about: "Create, edit and delete hosted pages. Includes reading" },
  "submissions:read": { name: "Read submissions", about: "List and export what people send in forms" },
  "history:read": {
    name: "Read history",
    about: "See who changed codes, folders, saved lists, templates, pages and jobs",
  },
  "workspace:read": { name: "Read workspace", about: "See the plan, its limits and the usage" },
};

/** Returns the scopes that include `scope`: writing implies reading. */
export const scopesWith = (scope: Scope): Scope[] => {
  const [resource, verb] = scope.split(":");
  return verb === "read" ? [scope, `${resource}:write` as Scope] : [scope];
};

/** The scope that a key needs for receiving an event of each kind, or reading its deliveries. */
export const eventScopes: Readonly<Record<EventKind, Scope>> = {
  "qr.created": "qr:read",
  "qr.updated": "qr:read",
  "qr.deleted": "qr:read",
  "qr.scanned": "scans:read",
  "bulk.completed": "qr:read",
  "subscription.updated": "qr:read",
  "page.submitted": "submissions:read",
};
