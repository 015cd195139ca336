import { form, type Route } from "../frame/request.ts";
import { editDomain, saveDomain } from "./edit.tsx";
import { domainList } from "./list.tsx";
import { newDomain, saveNewDomain } from "./new.tsx";
import { confirmRemoval as confirmDomainRemoval, removeDomain, restoreDomain } from "./remove.tsx";
import { checkNow, showDomain } from "./show.tsx";

/** The pages and forms of domains. */
export const domainRoutes: readonly Route[] = [
  ["GET", "/domains", "codes.read", domainList],
  ...form("/domains/new", "domains", newDomain, saveNewDomain),
  ["GET", "/domains/:id", "codes.read", showDomain],
  ["POST", "/domains/:id/check", "domains", checkNow],
  ...form("/domains/:id/edit", "domains", editDomain, saveDomain),
  ...form("/domains/:id/remove", "domains", confirmDomainRemoval, removeDomain),
  ["POST", "/domains/:id/restore", "domains", restoreDomain],
];
