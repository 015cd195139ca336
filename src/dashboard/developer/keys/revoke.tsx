import type { ApiKey } from "../../../contract/resources/keys.ts";
import { getKey } from "../../../domain/identity/keys.ts";
import { revokeKey as revoke } from "../../../domain/identity/revocation.ts";
import { Confirm } from "../../components/forms/confirm.tsx";
import { RelativeTime } from "../../components/values/relative-time.tsx";
import type { PageResponse, SeeOther, DashboardRequest } from "../../frame/request.ts";
import { rightsOf, shortKey } from "./texts.ts";

const back = { path: "/dashboard/developer/keys", name: "Keys" } as const;

/** Asks whether to revoke a key. @throws not_found */
export async function confirmRevocation(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const [key, timeZone] = await Promise.all([getKey(deps, context, request.param("id")), request.timeZone()]);
  const title = `Revoke the key ${key.name}?`;
  return {
    title,
    content: (
      <Confirm title={title} action="Revoke the key" back={back}>
        <p>
          <strong>{whatStops(key)}</strong> Every request with <code>{shortKey(key)}</code> is refused at
          once.
        </p>
        <p>
          {key.lastUsedAt === null ? (
            "It was never used."
          ) : (
            <>
              It was last used <RelativeTime time={key.lastUsedAt} now={deps.now()} timeZone={timeZone} />.
            </>
          )}{" "}
          Codes that it created stay. A revoked key can't be restored.
        </p>
      </Confirm>
    ),
  };
}

function whatStops(key: ApiKey): string {
  if (key.type === "publishable") return `Pages of ${key.origins.join(", ")} can no longer create codes.`;
  return `Programs that use it stop working. It allows: ${rightsOf(key)}.`;
}

/** Revokes a key. @throws not_found */
export async function revokeKey({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await revoke(deps, context, param("id"));
  return { seeOther: back.path, flash: "keyRevoked" };
}
