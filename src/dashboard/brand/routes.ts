import { form, type Route } from "../frame/request.ts";
import { brandPage, changeBrand } from "./brand.tsx";
import { confirmLogoDeletion, deleteLogo, editLogo, logoFile, saveLogoName } from "./logos.tsx";

/** The pages and forms of the brand. */
export const brandRoutes: readonly Route[] = [
  ...form("/settings/brand", "settings", brandPage, changeBrand),
  ["GET", "/settings/brand/logos/:id", "codes.read", logoFile],
  ...form("/settings/brand/logos/:id/edit", "settings", editLogo, saveLogoName),
  ...form("/settings/brand/logos/:id/delete", "settings", confirmLogoDeletion, deleteLogo),
];
