import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { getReporting } from "../../domain/analytics/settings.ts";
import { listFolders } from "../../domain/codes/folders.ts";
import { listTemplates } from "../../domain/images/templates.ts";
import { listPages } from "../../domain/pages/pages.ts";
import { Zone } from "../../lib/time/zone.ts";
import type { Visit } from "../frame/visit.ts";

type Choices = readonly (readonly [id: string, name: string])[];

/** What a code's form lets people choose from, and the zone of its times. */
export interface FormChoices {
  readonly folders: Choices;
  readonly templates: Choices;
  readonly pages: Choices;
  readonly zone: NamedZone;
}

export interface NamedZone {
  /** IANA name. */
  readonly name: string;
  readonly zone: Zone;
}

/** Reads what the form of a type needs. */
export async function formChoices({ deps, owner }: Visit, type: QrType): Promise<FormChoices> {
  const [{ folders }, { templates }, { items: pages }, { timeZone }] = await Promise.all([
    listFolders(deps, owner),
    plans[owner.plan].fullDesign ? listTemplates(deps, owner) : { templates: [] },
    type === "servicepage"
      ? listPages(deps, owner, { cursor: undefined, limit: limits.pageList.max })
      : { items: [] },
    getReporting(deps, owner),
  ]);
  return {
    folders: folders.map(({ id, name }) => [id, name]),
    templates: templates.map(({ id, name }) => [id, name]),
    pages: pages.map(({ id, title }) => [id, title]),
    zone: { name: timeZone, zone: new Zone(timeZone) },
  };
}
