import { plans } from "../../contract/plans.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import type { Permission } from "../../contract/roles.ts";
import { searchQr } from "../../domain/codes/search.ts";
import { codeTitle, destinationText, pageTitlesOf } from "../../domain/codes/titles.ts";
import { may } from "../../domain/context/permissions.ts";
import { searchFolders } from "../../domain/folders/folders.ts";
import { searchTags } from "../../domain/folders/tags.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { searchPages } from "../../domain/pages/pages.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { recentActivity } from "../../domain/workspaces/activity.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import type { IconName } from "../../ui/icon.tsx";
import { typeTexts } from "../codes/form/types.ts";
import { filtersOf, folderAddress, readSearch, searchAddress } from "../codes/list/search.ts";
import { sections } from "../frame/navigation.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { passkeysPath } from "../frame/settings-page.tsx";
import { fitting, readVerbs } from "./verbs.ts";

/** A place in the dashboard. */
interface Target {
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
  /** Distinguishes it from others with the same name. */
  readonly detail?: string;
  /** Other words by which it can be found. */
  readonly synonyms?: string;
  /** One's role must allow this; undefined for what every member may open. */
  readonly permission?: Permission | undefined;
  /** Set for a change, which is submitted to its address. */
  readonly isChange?: true | undefined;
  /** Set for a file. */
  readonly isFile?: true | undefined;
}

/** Targets of one kind. */
export interface TargetGroup {
  readonly name: string;
  readonly targets: readonly Target[];
}

/** The most targets per group. */
const shown = 6;

/** The most codes that a verb is offered for. */
const acted = 3;

/** How codes are looked for: `indexOnly` leaves out those that only contain the words. */
interface Look {
  readonly indexOnly: boolean;
}

/** Returns the places that match a text, actions first. Without a text, returns the most common ones. */
export async function findTargets(
  request: DashboardRequest,
  text: string,
  look: Look = { indexOnly: false },
): Promise<readonly TargetGroup[]> {
  const groups =
    text.trim() === "" ? await usualGroups(request) : await foundGroups(request, text.trim(), look);
  const { context } = request;
  return groups
    .map(({ name, targets }) => ({
      name,
      targets: targets.filter(({ permission }) => permission === undefined || may(context, permission)),
    }))
    .filter(({ targets }) => targets.length > 0);
}

async function usualGroups({ deps, context }: DashboardRequest): Promise<readonly TargetGroup[]> {
  const { codes } = await recentActivity(deps, context);
  return [
    { name: "Recently updated", targets: await codeTargets(deps, context, codes) },
    { name: "Actions", targets: actionsOf(context.plan).filter(({ href }) => usualActions.includes(href)) },
    { name: "Go to", targets: areas.slice(0, sections.length) },
  ];
}

async function foundGroups(
  request: DashboardRequest,
  text: string,
  look: Look,
): Promise<readonly TargetGroup[]> {
  const { deps, context } = request;
  const words = foldCase(text).split(/\s+/);
  const matching = (targets: readonly Target[]) =>
    targets
      .filter(({ name, synonyms = "" }) => {
        const own = foldCase(`${name} ${synonyms}`);
        return words.every((word) => own.includes(word));
      })
      .slice(0, shown);
  const [codes, verbs, folders, tags, pages, { templates }] = await Promise.all([
    findCodes(request, text, look),
    verbTargets(request, text, look),
    searchFolders(deps, context, { q: text, limit: shown }),
    searchTags(deps, context, text, shown),
    searchPages(deps, context, text, shown),
    listTemplates(deps, context),
  ]);
  return [
    { name: "Actions", targets: [...verbs, ...matching(actionsOf(context.plan))] },
    { name: "Codes", targets: codes },
    {
      name: "Folders",
      targets: folders.items.map((folder) => ({
        name: folder.name,
        href: folderAddress(folder),
        icon: "folder",
      })),
    },
    {
      name: "Tags",
      targets: tags.map((tag) => ({ name: tag, href: searchAddress({ words: "", tag }), icon: "tag" })),
    },
    {
      name: "Pages",
      targets: pages.map(({ id, name }) => ({
        name,
        href: `/dashboard/pages/${id}`,
        icon: "panels-top-left",
      })),
    },
    {
      name: "Templates",
      targets: matching(
        templates.map(({ id, name }) => ({
          name,
          href: `/dashboard/templates/${id}/edit`,
          icon: "palette" as const,
          permission: "codes.write" as const,
        })),
      ),
    },
    { name: "Go to", targets: matching(areas.filter(({ href }) => !isClosed(request, href))) },
  ];
}

/** Whether a page doesn't exist in this installation. */
const isClosed = ({ deps }: DashboardRequest, href: string): boolean =>
  href === passkeysPath && !waysToSignIn(deps).passkeys;

async function findCodes(request: DashboardRequest, text: string, look: Look): Promise<readonly Target[]> {
  const { deps, context } = request;
  return codeTargets(deps, context, await foundCodes(request, text, shown, look));
}

/** Returns the first codes that a search finds. */
async function foundCodes(
  request: DashboardRequest,
  text: string,
  limit: number,
  look: Look,
): Promise<readonly Qr[]> {
  const { deps, context } = request;
  const search = readSearch(text);
  const filters = await filtersOf(request, search);
  if (filters === null) return [];
  const selection = { ...filters, cursor: undefined, limit };
  return (await searchQr(deps, context, selection, search.words, look)).items;
}

/** Returns what can be done with the codes that a text names: `pause easter` pauses the Easter menu. */
async function verbTargets(request: DashboardRequest, text: string, look: Look): Promise<readonly Target[]> {
  const read = readVerbs(text);
  if (read === undefined) return [];
  const codes = await foundCodes(request, read.rest, acted, look);
  return codes.flatMap((qr) =>
    read.verbs
      .flatMap((verb) => fitting(verb, qr))
      .map(({ name, icon, path, permission, isChange, isFile }) => ({
        ...{ icon, permission, isChange, isFile },
        name: `${name} ${codeTitle(qr)}`,
        href: `/dashboard/codes/${qr.id}${path}`,
      })),
  );
}

async function codeTargets(
  deps: DashboardRequest["deps"],
  context: DashboardRequest["context"],
  codes: readonly Qr[],
): Promise<readonly Target[]> {
  const pageTitles = await pageTitlesOf(deps, context, codes);
  return codes.map((qr) => ({
    href: `/dashboard/codes/${qr.id}`,
    name: codeTitle(qr),
    icon: typeTexts[qr.qrType].icon,
    detail: qr.name === null ? typeTexts[qr.qrType].name : destinationText(qr.data, pageTitles),
  }));
}

/** Pages that aren't about a single code, starting with the dashboard's areas. */
const areas: readonly Target[] = [
  ...sections.map(({ name, path, icon, permission }) => ({
    ...{ name, href: path, icon, permission },
    ...synonymsOf(name),
  })),
  {
    name: "Members",
    href: "/dashboard/settings/members",
    icon: "contact",
    synonyms: "invite people team roles owner admin editor viewer users add settings",
  },
  { name: "Most scanned codes", href: "/dashboard/codes?order=scans", icon: "qr-code", synonyms: "top best" },
  {
    name: "API keys",
    href: "/dashboard/developer/keys",
    icon: "key",
    synonyms: "token secret",
    permission: "keys",
  },
  {
    name: "Webhooks",
    href: "/dashboard/developer/webhooks",
    icon: "webhook",
    synonyms: "events",
    permission: "webhooks",
  },
  {
    name: "Alerts",
    href: "/dashboard/developer/alerts",
    icon: "send",
    synonyms: "notifications slack settings",
    permission: "webhooks",
  },
  {
    name: "Brand",
    href: "/dashboard/settings/brand",
    permission: "settings",
    icon: "image",
    synonyms: "logos colours colors images upload settings",
  },
  {
    name: "Domains",
    href: "/dashboard/domains",
    icon: "globe",
    synonyms: "host custom own address short links dns cname settings",
  },
  {
    name: "Time zone and scan retention",
    href: "/dashboard/settings/reports",
    permission: "settings",
    icon: "globe",
    synonyms: "reports settings timezone",
  },
  {
    name: "Sessions",
    href: "/dashboard/settings/sessions",
    icon: "log-out",
    synonyms: "devices sign-ins sign out everywhere account settings",
  },
  {
    name: "Plan and usage",
    href: "/dashboard/settings/plan",
    icon: "settings",
    synonyms: "limits quota upgrade storage billing",
  },
  {
    name: "Account",
    href: "/dashboard/settings/account",
    icon: "settings",
    synonyms: "settings sign out email profile dark light mode theme appearance delete",
  },
  {
    name: "Passkeys",
    href: passkeysPath,
    icon: "key",
    synonyms: "password login sign-in security fingerprint settings",
  },
  {
    name: "Keyboard shortcuts",
    href: "/dashboard/settings/account#shortcuts-setting",
    icon: "keyboard",
    synonyms: "keys help",
  },
];

/** Returns synonyms for the names of areas. */
function synonymsOf(name: string): { synonyms: string } | undefined {
  const synonyms: Readonly<Record<string, string>> = {
    Overview: "home dashboard reports analytics statistics scans",
    Waiting: "inbox to do agents proposals changes confirm approve decline problems failed",
    Codes: "qr links list",
    Pages: "landing hosted forms",
    Templates: "design colour color style",
    History: "log audit changes activity undo who",
    Jobs: "bulk imports progress",
    Bin: "deleted restore trash undo",
    Developer: "api integration",
    Settings: "preferences account workspace plan",
  };
  const found = synonyms[name];
  return found === undefined ? undefined : { synonyms: found };
}

/** The actions shown before anything is typed. */
const usualActions: readonly string[] = [
  "/dashboard/codes/new",
  "/dashboard/codes/import",
  "/dashboard/pages/new",
];

const actionsOf = (plan: DashboardRequest["context"]["plan"]): readonly Target[] =>
  creationsOf(plan).map((target) => ({ permission: "codes.write", ...target }));

/** Actions; unless they say otherwise, they need the permission to change codes. */
function creationsOf(plan: DashboardRequest["context"]["plan"]): readonly Target[] {
  const types: readonly QrType[] = plans[plan].qrTypes;
  return [
    {
      name: "New code",
      href: "/dashboard/codes/new",
      icon: "plus",
      synonyms: "create add make qr link",
    },
    {
      name: "Import codes",
      href: "/dashboard/codes/import",
      icon: "upload",
      synonyms: "create many upload csv excel spreadsheet table bulk paste",
    },
    ...(types.includes("servicepage")
      ? [
          {
            name: "New page",
            href: "/dashboard/pages/new",
            icon: "panels-top-left",
            synonyms: "create add landing hosted form",
          } as const,
        ]
      : []),
    {
      name: "New folder",
      href: "/dashboard/folders#name",
      icon: "folder",
      synonyms: "create add group",
    },
    ...(plans[plan].fullDesign
      ? [
          {
            name: "New template",
            href: "/dashboard/templates/new",
            icon: "palette",
            synonyms: "create add design colour color style logo",
          } as const,
        ]
      : []),
    {
      name: "Edit all codes",
      href: "/dashboard/codes/bulk?q=",
      icon: "pencil",
      synonyms: "change bulk replace host domain tag move pause",
    },
    {
      name: "Share a report",
      href: "/dashboard/share",
      icon: "share-2",
      synonyms: "public link statistics analytics",
    },
    ...(plans[plan].domains > 0
      ? [
          {
            name: "Add domain",
            href: "/dashboard/domains/new",
            icon: "globe",
            synonyms: "create new host custom own address",
            permission: "domains",
          } as const,
        ]
      : []),
    {
      name: "New API key",
      href: "/dashboard/developer/keys/new",
      icon: "key",
      synonyms: "create add token",
      permission: "keys",
    },
    {
      name: "New webhook",
      href: "/dashboard/developer/webhooks/new",
      icon: "webhook",
      permission: "webhooks",
      synonyms: "create add events",
    },
    ...types
      .filter((type) => type !== "url")
      .map((type) => ({
        href: `/dashboard/codes/new?type=${type}`,
        name: `New code: ${typeTexts[type].name}`,
        icon: typeTexts[type].icon,
        synonyms: "create add",
      })),
  ];
}
