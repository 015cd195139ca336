import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { searchQr } from "../../domain/codes/list.ts";
import { searchFolders } from "../../domain/folders/folders.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { filtersOf, folderAddress, readSearch } from "../codes/list/search.ts";
import { codeTitle, destinationOf } from "../../domain/codes/titles.ts";
import { typeTexts } from "../codes/form/types.ts";
import { sections } from "../frame/navigation.tsx";
import type { DashboardRequest } from "../frame/request.ts";

/** A place in the dashboard to go to. */
interface Target {
  readonly href: string;
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly detail?: string;
}

/** Targets of a kind. */
export interface TargetGroup {
  readonly name: string;
  readonly targets: readonly Target[];
}

/** Targets of a group at most. */
const shown = 6;

/** The places that a text asks for: codes by the search of their list, all others by words of their names. */
export async function findTargets(request: DashboardRequest, text: string): Promise<readonly TargetGroup[]> {
  const words = foldCase(text).split(/\s+/);
  const matching = (targets: readonly Target[]) =>
    targets.filter(({ name }) => words.every((word) => foldCase(name).includes(word))).slice(0, shown);
  const [codes, folders] = await Promise.all([
    findCodes(request, text),
    searchFolders(request.deps, request.context, { q: text, limit: shown }),
  ]);
  const groups = [
    { name: "Codes", targets: codes },
    {
      name: "Folders",
      targets: folders.items.map((folder) => ({ name: folder.name, href: folderAddress(folder) })),
    },
    { name: "Pages", targets: matching(pages) },
    { name: "Actions", targets: matching(actionsOf(request)) },
  ];
  return groups.filter(({ targets }) => targets.length > 0);
}

async function findCodes(request: DashboardRequest, text: string): Promise<readonly Target[]> {
  const { deps, context } = request;
  const filters = await filtersOf(request, readSearch(text));
  if (filters === null) return [];
  const { items } = await searchQr(deps, context, { ...filters, cursor: undefined, limit: shown });
  return items.map((qr) => ({
    href: `/dashboard/codes/${qr.id}`,
    name: codeTitle(qr),
    detail: qr.name === null ? typeTexts[qr.qrType].name : destinationOf(qr.data),
  }));
}

/** The pages that belong to no code. */
const pages: readonly Target[] = [
  ...sections.map(({ name, path }) => ({ name, href: path })),
  { name: "Most scanned codes", href: "/dashboard/codes?order=scans" },
  { name: "Bulk jobs", href: "/dashboard/jobs" },
  { name: "API keys", href: "/dashboard/developer/keys" },
  { name: "Webhooks", href: "/dashboard/developer/webhooks" },
  { name: "Logos", href: "/dashboard/templates/logos" },
  { name: "Reports: time zone, and how long scans are kept", href: "/dashboard/settings/reports" },
  { name: "Keyboard shortcuts", href: "/dashboard/settings#shortcuts-setting" },
];

function actionsOf({ context }: DashboardRequest): readonly Target[] {
  const types: readonly QrType[] = plans[context.plan].qrTypes;
  return [
    ...types.map((type) => ({
      href: `/dashboard/codes/new?type=${type}`,
      name: `Create a code: ${typeTexts[type].name}`,
    })),
    { name: "Create many codes from a table", href: "/dashboard/codes/import" },
    { name: "Change all codes", href: "/dashboard/codes/bulk?q=" },
    ...(types.includes("servicepage") ? [{ name: "Create a page", href: "/dashboard/pages/new" }] : []),
    { name: "Create a key", href: "/dashboard/developer/keys/new" },
    { name: "Create a webhook", href: "/dashboard/developer/webhooks/new" },
    { name: "Create a folder", href: "/dashboard/folders" },
    ...(plans[context.plan].fullDesign
      ? [{ name: "Create a template", href: "/dashboard/templates/new" }]
      : []),
  ];
}
