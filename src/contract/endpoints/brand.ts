import * as z from "zod";
import { Deleted } from "../resources/codes/qr.ts";
import { LogoType } from "../resources/enums.ts";
import { Brand, BrandLogo, BrandLogoInput, BrandLogoUpdate, BrandUpdate } from "../resources/images/brand.ts";
import { Image } from "../resources/images/images.ts";
import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";

const logoId = {
  id: z.string().toLowerCase().meta({ description: "SHA-256 of the file, as in the logo's `id`" }),
};

/** The colours and logos of a workspace's brand. */
export const brandEndpoints = {
  getBrand: {
    method: "get",
    path: "/developer/brand",
    tag: "Brand",
    summary: "Retrieve the brand: the workspace's colors and logos",
    auth: "session",
    permission: "codes.read",
    scope: "templates:read",
    status: 200,
    response: Brand,
    errors: [],
  },
  updateBrand: {
    method: "patch",
    path: "/developer/brand",
    tag: "Brand",
    summary: "Update the brand's colors",
    auth: "session",
    permission: "settings",
    scope: "templates:write",
    body: BrandUpdate,
    status: 200,
    response: Brand,
    errors: bodyErrors,
  },
  createBrandLogo: {
    method: "post",
    path: "/developer/brand/logos",
    tag: "Brand",
    summary: "Add a logo to the brand: use it in QR codes and templates with its `id`, as `advanced.logo.id`",
    auth: "session",
    permission: "settings",
    scope: "templates:write",
    body: BrandLogoInput,
    status: 201,
    response: BrandLogo,
    errors: [...bodyErrors, 402],
  },
  updateBrandLogo: {
    method: "patch",
    path: "/developer/brand/logos/{id}",
    tag: "Brand",
    summary: "Rename a logo of the brand, or add the logo of a template or QR code to it",
    auth: "session",
    permission: "settings",
    scope: "templates:write",
    parameters: logoId,
    body: BrandLogoUpdate,
    status: 200,
    response: BrandLogo,
    errors: [...bodyErrors, 402, 404],
  },
  deleteBrandLogo: {
    method: "delete",
    path: "/developer/brand/logos/{id}",
    tag: "Brand",
    summary: "Delete a logo from the brand; QR codes and templates that use it keep it",
    auth: "session",
    permission: "settings",
    scope: "templates:write",
    parameters: logoId,
    status: 200,
    response: Deleted,
    errors: [404],
  },
  getBrandLogo: {
    method: "get",
    path: "/developer/brand/logos/{id}/file",
    tag: "Brand",
    summary: "Download a logo of the workspace",
    auth: "session",
    permission: "codes.read",
    scope: "templates:read",
    parameters: logoId,
    status: 200,
    response: Image,
    stream: LogoType.options,
    tagged: true,
    errors: [404],
  },
} as const satisfies Record<string, SessionEndpoint>;
