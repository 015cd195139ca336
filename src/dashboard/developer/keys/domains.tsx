import { notFound } from "../../../domain/errors.ts";
import { getKey, updateKey } from "../../../domain/identity/keys.ts";
import { confirmPage } from "../../frame/form-page.tsx";
import type { Answer } from "../../frame/request.ts";
import { domainsRisk } from "./texts.ts";

const back = { path: "/dashboard/developer/keys", name: "Keys" } as const;

/** Asks before a publishable key's new codes answer at domains, or don't any more. @throws not_found */
export const confirmKeyDomains: Answer = async ({ deps, context, param }) => {
  const { name, usesDomains } = await getKey(deps, context, param("id"));
  if (usesDomains === undefined) throw notFound("Key");
  return usesDomains
    ? confirmPage(
        { title: `Keep ${name} off your domains?`, action: "Keep off domains", back, isSafe: true },
        <p>
          Codes that it creates from now on answer at the host of scans alone. Earlier ones go on as they are.
        </p>,
      )
    : confirmPage(
        { title: `Allow domains for ${name}?`, action: "Allow domains", back, values: { usesDomains: "on" } },
        <>
          <p>
            <strong>Codes that it creates from now on answer at your domains.</strong> {domainsRisk}.
          </p>
          <p>Earlier ones go on as they are.</p>
        </>,
      );
};

/** Changes whether a publishable key's new codes answer at domains. @throws not_found */
export const saveKeyDomains: Answer = async ({ deps, context, form, param }) => {
  await updateKey(deps, context, param("id"), { usesDomains: form.has("usesDomains") });
  return { seeOther: back.path, flash: "keyChanged" };
};
