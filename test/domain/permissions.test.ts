import { describe, expect, it } from "vitest";
import { Scope } from "../../src/contract/resources/enums.ts";
import { allows, type Permission, permissions, roles } from "../../src/contract/roles.ts";
import { changeReporting } from "../../src/domain/analytics/settings.ts";
import { replaceSharedLink, revokeSharedReport, shareReport } from "../../src/domain/analytics/sharing.ts";
import { addColor, changeBrand, removeColor } from "../../src/domain/brand/brand.ts";
import { addLogo, deleteLogo, renameLogo, uploadLogo } from "../../src/domain/brand/logos.ts";
import { checkRows, createBulkJob } from "../../src/domain/bulk/jobs.ts";
import { createRevertJob } from "../../src/domain/bulk/revert-jobs.ts";
import { createBulkUpdate, examineBulkUpdate, previewBulkUpdate } from "../../src/domain/bulk/update-jobs.ts";
import { createQr, deleteQr, restoreQr, updateQr } from "../../src/domain/codes/codes.ts";
import { type Member, serviceContext } from "../../src/domain/context/context.ts";
import { requirePermission } from "../../src/domain/context/permissions.ts";
import { createFolder, deleteFolder, renameFolder, restoreFolder } from "../../src/domain/folders/folders.ts";
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
} from "../../src/domain/identity/invitations.ts";
import { createKey, getKey, listKeys } from "../../src/domain/identity/keys.ts";
import { removeMember, transferOwnership, updateMember } from "../../src/domain/identity/members.ts";
import { revokeKey } from "../../src/domain/identity/revocation.ts";
import { createPage, deletePage, restorePage, updatePage } from "../../src/domain/pages/pages.ts";
import {
  eraseFound,
  eraseSubmission,
  eraseSubmissions,
  exportSubmissions,
  getSubmission,
  listSubmissions,
} from "../../src/domain/pages/submission-list.ts";
import { eraseScans } from "../../src/domain/scans/erase.ts";
import {
  createTemplate,
  deleteTemplate,
  restoreTemplate,
  updateTemplate,
} from "../../src/domain/templates/templates.ts";
import { revertChange } from "../../src/domain/undo.ts";
import { getDelivery, listDeliveries, replayDelivery } from "../../src/domain/webhooks/deliveries.ts";
import {
  getReplay,
  listReplays,
  previewReplay,
  startReplay,
  stopReplay,
} from "../../src/domain/webhooks/replays.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "../../src/domain/webhooks/webhooks.ts";
import {
  deleteAlertAddress,
  getAlertAddress,
  rotateAlertSecret,
  setAlertAddress,
  testAlerts,
} from "../../src/domain/workspaces/alerts.ts";
import { updateWorkspace } from "../../src/domain/workspaces/workspace.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { Service } from "../support/service.ts";

/**
 * The verbs that need a permission refuse members without it, so that a page or endpoint whose row names too low a role
 * still can't do what the role doesn't allow.
 */

type Verb = (...args: never[]) => Promise<unknown>;

const verbs: Readonly<Partial<Record<Permission, readonly Verb[]>>> = {
  "codes.write": [
    ...[createQr, updateQr, deleteQr, restoreQr, createBulkJob, checkRows],
    ...[createBulkUpdate, previewBulkUpdate, examineBulkUpdate, createFolder, renameFolder, deleteFolder],
    ...[createTemplate, updateTemplate, deleteTemplate, createPage, updatePage, deletePage],
    ...[restoreFolder, restoreTemplate, restorePage, revertChange, createRevertJob],
    ...[shareReport, revokeSharedReport, replaceSharedLink],
  ],
  "submissions.read": [listSubmissions, getSubmission],
  "submissions.manage": [eraseSubmission, eraseSubmissions, eraseFound, exportSubmissions],
  settings: [
    ...[changeBrand, addColor, removeColor, addLogo, uploadLogo, renameLogo, deleteLogo],
    ...[changeReporting, eraseScans],
  ],
  members: [updateMember, removeMember, createInvitation, listInvitations, revokeInvitation],
  workspace: [updateWorkspace, transferOwnership],
  keys: [listKeys, getKey, createKey, revokeKey],
  webhooks: [
    ...[createWebhook, listWebhooks, getWebhook, updateWebhook, deleteWebhook, rotateSecret, testWebhook],
    ...[getAlertAddress, setAlertAddress, deleteAlertAddress, rotateAlertSecret, testAlerts],
    ...[getDelivery, listDeliveries, replayDelivery],
    ...[previewReplay, startReplay, listReplays, getReplay, stopReplay],
  ],
};

const service = new Service();

/** A value that any input may be read from; the permission is checked before it matters. */
const anything = { colors: [], hex: "#000000", change: {}, ids: [] };

it("refuses keys what is for people only, whatever their scopes", () => {
  const key = {
    ...serviceContext(newId(0), "business"),
    ...{ keyId: newId(0), keyName: "Key", keyType: "secret", origins: [], clientAddress: "" },
    scopes: Scope.options,
  } as const;
  const refused = Object.keys(permissions).filter((permission) => {
    try {
      requirePermission(key, permission as Permission);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual(["account", "keys", "domains", "members", "workspace"]);
});

describe.each(Object.entries(verbs) as [Permission, readonly Verb[]][])("%s", (permission, needing) => {
  it.each(needing.map((verb) => [verb.name, verb] as const))("%s", async (_, verb) => {
    const unable = roles.filter((role) => !allows(role, permission));
    for (const role of unable) {
      const member: Member = {
        ...serviceContext(newId(0), "business"),
        userId: newId(0),
        role,
        sessionId: null,
        authenticatedAt: null,
        deletion: null,
      };
      const run = verb as (...args: unknown[]) => Promise<unknown>;
      const refused = run(service.deps, member, anything, anything, anything);
      await expect(refused).rejects.toMatchObject({
        code: "forbidden",
        message: expect.stringContaining(permissions[permission].what),
      });
    }
  });
});
