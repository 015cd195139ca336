import { confirmPage } from "../../frame/form-page.tsx";
import type { ApiKey } from "../../../contract/resources/identity/keys.ts";
import { getKey } from "../../../domain/identity/keys.ts";
import { revokeKey as revoke } from "../../../domain/identity/revocation.ts";
import { RelativeTime } from "../../../ui/values/relative-time.tsx";
import type { PageResponse, SeeOther, DashboardRequest } from "../../frame/request.ts";
import { rightsOf, shortKey } from "./texts.ts";

const back = { path: "/dashboard/developer/keys", name: "Keys" } as const;

/** Asks for confirmation before revoking a key. @throws not_found */
export async function confirmRevocation(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const [key, timeZone] = await Promise.all([getKey(deps, context, request.param("id")), request.timeZone()]);
  const title = `Revoke ${key.name}?`;
  return confirmPage(
    { title, action: "Revoke key", back },
    <>
      <p>
        <strong>{whatStops(key)}</strong> Requests with <code>{shortKey(key)}</code> are refused at once.
      </p>
      <p>
        {key.lastUsedAt === null ? (
          "It has never been used."
        ) : (
          <>
            It was last used <RelativeTime time={key.lastUsedAt} now={deps.now()} timeZone={timeZone} />.
          </>
        )}{" "}
        The codes it created are kept. A revoked key can't be restored.
      </p>
    </>,
  );
}

function whatStops(key: ApiKey): string {
  if (key.type === "publishable") return `${key.origins.join(", ")} can no longer create codes.`;
  return `Programs that use it stop working. It allows them to: ${rightsOf(key)}.`;
}

/** Revokes a key. @throws not_found */
export async function revokeKey({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await revoke(deps, context, param("id"));
  return { seeOther: back.path, flash: "keyRevoked" };
}
