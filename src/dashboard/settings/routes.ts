import { form, type Route } from "../frame/request.ts";
import { accountSettings, saveAccountSettings } from "./account.tsx";
import { accountDeletionForm, deleteOwnAccount } from "./account-deletion.tsx";
import { generalSettings, saveGeneralSettings } from "./general.tsx";
import {
  confirmLeaving,
  confirmRemoval,
  confirmTransfer,
  deleteMember,
  editRole,
  leave,
  saveRole,
  saveTransfer,
} from "./members/changes.tsx";
import { newInvitation, saveInvitation } from "./members/invite.tsx";
import { endInvitation, memberList } from "./members/list.tsx";
import {
  acknowledgePasskeys,
  confirmPasskeyRemoval,
  deletePasskey,
  editPasskey,
  newPasskey,
  passkeyList,
  savePasskey,
  savePasskeyName,
} from "./passkeys.tsx";
import { planSettings } from "./plan.tsx";
import { reportSettings, saveReportSettings } from "./reports.tsx";
import { endSession, sessionList } from "./sessions.tsx";
import {
  cancelWorkspaceDeletion,
  deletionForm,
  requestDeletion,
  showDeletion,
} from "./workspace-deletion.tsx";

/** The pages and forms of the settings of workspace and account. */
export const settingsRoutes: readonly Route[] = [
  ["GET", "/settings", "account", generalSettings],
  ["POST", "/settings", "workspace", saveGeneralSettings],
  ["GET", "/settings/members", "codes.read", memberList],
  ...form("/settings/members/invite", "members", newInvitation, saveInvitation),
  ["POST", "/settings/members/invitations/:id/revoke", "members", endInvitation],
  ...form("/settings/members/leave", "account", confirmLeaving, leave),
  ...form("/settings/members/:id/role", "members", editRole, saveRole),
  ...form("/settings/members/:id/remove", "members", confirmRemoval, deleteMember),
  ...form("/settings/members/:id/transfer", "workspace", confirmTransfer, saveTransfer),
  ...form("/settings/delete", "workspace", deletionForm, requestDeletion),
  ["GET", "/settings/deletion", "account", showDeletion],
  ["POST", "/settings/deletion/cancel", "workspace", cancelWorkspaceDeletion],
  ["GET", "/settings/plan", "account", planSettings],
  ...form("/settings/reports", "settings", reportSettings, saveReportSettings),
  ...form("/settings/account", "account", accountSettings, saveAccountSettings, { personal: true }),
  ...form("/settings/account/delete", "account", accountDeletionForm, deleteOwnAccount, { personal: true }),
  ["GET", "/settings/passkeys", "account", passkeyList],
  ...form("/settings/passkeys/new", "account", newPasskey, savePasskey, { personal: true }),
  ["POST", "/settings/passkeys/seen", "account", acknowledgePasskeys, { personal: true }],
  ...form("/settings/passkeys/:id/rename", "account", editPasskey, savePasskeyName, { personal: true }),
  ...form("/settings/passkeys/:id/remove", "account", confirmPasskeyRemoval, deletePasskey, {
    personal: true,
  }),
  ["GET", "/settings/sessions", "account", sessionList],
  ["POST", "/settings/sessions/:id/end", "account", endSession, { personal: true }],
];
