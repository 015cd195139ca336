import { form, type Route } from "../frame/request.ts";
import { waitingPath } from "../frame/waiting.tsx";
import { confirm, decline, showProposal } from "./show.tsx";

/** The pages and forms of changes that keys propose. */
export const proposalRoutes: readonly Route[] = [
  // The list of earlier versions.
  ["GET", "/changes", "codes.write", () => ({ seeOther: waitingPath })],
  ...form("/changes/:id", "codes.write", showProposal, confirm),
  ["POST", "/changes/:id/decline", "codes.write", decline],
];
