import type { HistoryKind } from "../../contract/resources/history/history.ts";
import type { Permission } from "../../contract/roles.ts";

/** How a kind of object is shown. */
interface KindWords {
  /** The kind in a sentence; empty where a name is enough. */
  readonly noun: string;
  /** Several of them, as a filter's value. */
  readonly many: string;
  /** Stands for the name of one that has none. */
  readonly unnamed: string;
  /** Returns the page of one; null if it has none. */
  readonly path: (id: string) => string | null;
  /** One's role must allow this to open the page; undefined for a page that every member has. */
  readonly permission?: Permission;
}

const erased = "(name erased)";
const none = () => null;

const made = {
  code: { noun: "", many: "Codes", unnamed: erased, path: (id) => `/dashboard/codes/${id}` },
  folder: {
    noun: "folder",
    many: "Folders",
    unnamed: erased,
    path: (id) => `/dashboard/folders/${id}/edit`,
    permission: "codes.write",
  },
  template: {
    noun: "template",
    many: "Templates",
    unnamed: erased,
    path: (id) => `/dashboard/templates/${id}/edit`,
    permission: "codes.write",
  },
  page: { noun: "page", many: "Pages", unnamed: erased, path: (id) => `/dashboard/pages/${id}` },
  domain: {
    noun: "domain",
    many: "Domains",
    unnamed: erased,
    path: (id) => `/dashboard/domains/${id}`,
    permission: "domains",
  },
  saved_list: {
    noun: "saved list",
    many: "Saved lists",
    unnamed: erased,
    path: (id) => `/dashboard/codes?list=${id}`,
  },
  shared_report: { noun: "shared report", many: "Shared reports", unnamed: "a shared report", path: none },
  job: { noun: "", many: "Bulk jobs", unnamed: "a bulk job", path: (id) => `/dashboard/jobs/${id}` },
} as const satisfies Record<string, KindWords>;

const settings = {
  webhook: {
    noun: "webhook",
    many: "Webhooks",
    unnamed: erased,
    path: (id) => `/dashboard/developer/webhooks/${id}`,
    permission: "webhooks",
  },
  key: {
    noun: "API key",
    many: "API keys",
    unnamed: erased,
    path: () => "/dashboard/developer/keys",
    permission: "keys",
  },
  brand: {
    noun: "",
    many: "Brand",
    unnamed: "the brand",
    path: () => "/dashboard/settings/brand",
    permission: "settings",
  },
  logo: {
    noun: "logo",
    many: "Logos",
    unnamed: "without a name",
    path: () => "/dashboard/settings/brand",
    permission: "settings",
  },
  workspace: { noun: "workspace", many: "Workspace", unnamed: erased, path: none },
  member: {
    noun: "member",
    many: "Members",
    unnamed: "without a name",
    path: () => "/dashboard/settings/members",
  },
  invitation: {
    noun: "invitation",
    many: "Invitations",
    unnamed: "anyone with the link",
    path: () => "/dashboard/settings/members",
  },
} as const satisfies Record<string, KindWords>;

/** Every kind of object that has a history. */
export const historyKinds: Readonly<Record<HistoryKind, KindWords>> = { ...made, ...settings };
