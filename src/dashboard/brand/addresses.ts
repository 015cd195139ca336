import type { BrandLogo } from "../../contract/resources/images/brand.ts";

/** The page of the brand. */
export const brandPath = "/dashboard/settings/brand";

/** The address of a logo's file. */
export const logoAddress = ({ id }: Pick<BrandLogo, "id">): string => `${brandPath}/logos/${id}`;
