import { form, type Route } from "../frame/request.ts";
import { proposalList } from "./list.tsx";
import { confirm, decline, showProposal } from "./show.tsx";

/** The pages and forms of changes that keys propose. */
export const proposalRoutes: readonly Route[] = [
  ["GET", "/changes", "codes.write", proposalList],
  ...form("/changes/:id", "codes.write", showProposal, confirm),
  ["POST", "/changes/:id/decline", "codes.write", decline],
];
