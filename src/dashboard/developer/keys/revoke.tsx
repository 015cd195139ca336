import type { ApiKey } from "../../../contract/resources/identity/keys.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { getKey } from "../../../domain/identity/keys.ts";
import { listWebhooksOfKey, revokeKey as revoke } from "../../../domain/identity/revocation.ts";
import { rightsOf } from "../../../ui/values/key-rights.ts";
import { RelativeTime } from "../../../ui/values/relative-time.tsx";
import { confirmPage } from "../../frame/form-page.tsx";
import type { Answer } from "../../frame/request.ts";
import { webhookPath } from "../webhooks/texts.tsx";
import { shortKey } from "./texts.ts";

const back = { path: "/dashboard/developer/keys", name: "Keys" } as const;

/** Asks for confirmation before revoking a key. @throws not_found */
export const confirmRevocation: Answer = async (request) => {
  const { deps, context } = request;
  const id = request.param("id");
  const [key, webhooks, timeZone] = await Promise.all([
    getKey(deps, context, id),
    listWebhooksOfKey(deps, context, id),
    request.timeZone(),
  ]);
  const them = webhooks.length === 1 ? "this webhook" : `these ${webhooks.length} webhooks`;
  const option = { name: "pauseWebhooks", label: `Pause ${them}` };
  return confirmPage(
    { title: `Revoke ${key.name}?`, action: "Revoke key", back, ...(webhooks.length > 0 && { option }) },
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
      {webhooks.length > 0 && <OwnWebhooks webhooks={webhooks} />}
    </>,
  );
};

const OwnWebhooks = ({ webhooks }: { webhooks: readonly Webhook[] }) => (
  <>
    <p>
      <strong>It decides where these webhooks send events</strong>, since it created them or changed their
      address:
    </p>
    <ul>
      {webhooks.map(({ id, url }) => (
        <li>
          <a href={webhookPath(id)}>{url}</a>
        </li>
      ))}
    </ul>
  </>
);

function whatStops(key: ApiKey): string {
  if (key.type === "publishable") return `${key.origins.join(", ")} can no longer create codes.`;
  return `Programs that use it stop working. It allows them to: ${rightsOf(key)}.`;
}

/** Revokes a key. @throws not_found */
export const revokeKey: Answer = async ({ deps, context, form, param }) => {
  await revoke(deps, context, param("id"), form.get("pauseWebhooks") === "on");
  return { seeOther: back.path, flash: "keyRevoked" };
};
