import type { ReEncryption, ReEncryptionQuery } from "../../contract/resources/operations/operations.ts";
import { decryptText, encryptText, isOfNewest } from "../../lib/crypto/encryption.ts";
import { describeError, log } from "../../lib/log.ts";
import type { SecretReplacement } from "../../protocol/workspace-ledger.ts";
import { listWorkspacesWithWebhooks } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { callLedger } from "../ledger.ts";
import { parseCursor, toPage } from "../paging.ts";

/** Workspaces per request, so that it needs little of an invocation's time. */
const workspacesPerRequest = 20;

/**
 * Encrypts the signing secrets of webhooks, and the values of their headers, with the newest WEBHOOK_SECRET, workspace after workspace. Safe to repeat.
 * @throws invalid_input for a cursor of another list
 */
export async function reEncryptWebhookSecrets(
  deps: Deps,
  { cursor }: ReEncryptionQuery,
): Promise<ReEncryption> {
  const after = parseCursor(cursor, list);
  const rows = await listWorkspacesWithWebhooks(deps.db, after, workspacesPerRequest + 1);
  const { items, nextCursor } = toPage(rows, workspacesPerRequest, list);
  const results = await Promise.all(items.map(({ id }) => reEncrypt(deps, id)));
  return {
    reEncrypted: results.reduce((sum, result) => sum + (result?.reEncrypted ?? 0), 0),
    unreadable: results.reduce((sum, result) => sum + (result?.unreadable ?? 0), 0),
    failed: items.flatMap(({ id }, i) => (results[i] === undefined ? [id] : [])),
    nextCursor,
  };
}

const list = "webhook-secrets";

/** @returns undefined if the workspace's ledger fails */
async function reEncrypt(deps: Deps, workspaceId: string) {
  const { webhookSecrets } = deps.settings;
  try {
    const stored = await callLedger(deps, workspaceId, (ledger) => ledger.webhookSecrets(deps.now()));
    const results = await Promise.all(
      stored.map(async (secret): Promise<SecretReplacement | "current" | "unreadable"> => {
        if (await isOfNewest(webhookSecrets, secret)) return "current";
        const text = await decryptText(webhookSecrets, secret).catch(() => null);
        if (text === null) return "unreadable";
        return { stored: secret, replacement: await encryptText(webhookSecrets, text) };
      }),
    );
    const replacements = results.filter((result) => typeof result === "object");
    if (replacements.length > 0) {
      await callLedger(deps, workspaceId, (ledger) => ledger.replaceWebhookSecrets(replacements));
    }
    return {
      reEncrypted: replacements.length,
      unreadable: results.filter((result) => result === "unreadable").length,
    };
  } catch (error) {
    log("warn", "webhook secrets not encrypted again", { workspaceId, error: describeError(error) });
    return undefined;
  }
}
