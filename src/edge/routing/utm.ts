import type { Utm } from "../../contract/resources/codes/qr.ts";
import { addParameters } from "../../lib/web/query.ts";
import type { Route } from "../../protocol/routes.ts";

type Target = Pick<Route, "destination" | "action">;

/** Adds the campaign parameters to a target's web addresses. Computed with the route, so that scans don't have to. */
export function tagTarget(target: Target, utm: Utm | null): Target {
  if (utm === null) return target;
  const parameters = Object.fromEntries(
    Object.entries(utm).flatMap(([name, value]) => (value === undefined ? [] : [[`utm_${name}`, value]])),
  );
  const tag = (url: string) => addParameters(url, parameters);
  const { destination, action } = target;
  if (action?.kind !== "platform") return { ...target, destination: tag(destination) };
  const { ios, android } = action;
  const apps = { ...(ios && { ios: tag(ios) }), ...(android && { android: tag(android) }) };
  return { destination: tag(destination), action: { kind: "platform", ...apps } };
}
