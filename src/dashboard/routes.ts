import {
  codeBreakdownsFile,
  codeReportFile,
  codeScansFile,
  workspaceBreakdownsFile,
  workspaceReportFile,
  workspaceScansFile,
} from "./analytics/files.ts";
import {
  replaceLink,
  revokeLink,
  saveShareCode,
  saveShareCodes,
  shareCode,
  shareCodes,
} from "./analytics/share-page.tsx";
import { testPage } from "./analytics/test-page.tsx";
import { bin } from "./bin/bin.tsx";
import { brandPage, changeBrand } from "./brand/brand.tsx";
import { confirmLogoDeletion, deleteLogo, editLogo, logoFile, saveLogoName } from "./brand/logos.tsx";
import { bulkForm, chooseForAll, updateCodes } from "./bulk/update.tsx";
import { suggestions } from "./choices/suggestions.ts";
import {
  confirmCodeErasure,
  confirmDeletion,
  deleteCode,
  eraseCode,
  pauseCode,
  restoreCode,
  resumeCode,
} from "./codes/changes.tsx";
import { orDeleted } from "./codes/deleted.tsx";
import { editCode, saveCode } from "./codes/edit.tsx";
import { codePreview, codeScore, lookPicture } from "./codes/form/preview.tsx";
import { picturesOfForm, proofOfForm } from "./codes/form/proof.tsx";
import { publishDestination } from "./codes/head/publish.ts";
import { confirmAliasMove, saveAlias } from "./codes/head/save-alias.tsx";
import { codeImage } from "./codes/image.ts";
import { codesFile, wholeCodes } from "./codes/list/file.ts";
import { filterCodes } from "./codes/list/filter.ts";
import { codeList } from "./codes/list/list.tsx";
import { addLogoToCode } from "./codes/logo.ts";
import { createCode, newCode } from "./codes/new.tsx";
import { confirmPdf } from "./codes/print.tsx";
import { proofOfCodePage, proofPdf, proofPicture, proofStrip } from "./codes/proof.tsx";
import { scanLogFile } from "./codes/scans/file.ts";
import { scansOfCode } from "./codes/scans/scans.tsx";
import { showCode } from "./codes/show.tsx";
import { deliveryList } from "./developer/deliveries/list.tsx";
import { beginReplay, endReplay, replayForm, replayProgress } from "./developer/deliveries/replay.tsx";
import { deliveryPart, replayDelivery, showDelivery } from "./developer/deliveries/show.tsx";
import { confirmKeyDomains, saveKeyDomains } from "./developer/keys/domains.tsx";
import { keyList } from "./developer/keys/list.tsx";
import { newKey, saveKey } from "./developer/keys/new.tsx";
import { confirmRevocation, revokeKey } from "./developer/keys/revoke.tsx";
import { confirmKeyRotation, saveKeyRotation } from "./developer/keys/rotate.tsx";
import { developerOverview } from "./developer/overview.tsx";
import {
  confirmRotation,
  confirmWebhookDeletion,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotate,
  sendTest,
} from "./developer/webhooks/changes.tsx";
import { editWebhook, saveWebhook } from "./developer/webhooks/edit.tsx";
import { webhookList } from "./developer/webhooks/list.tsx";
import { newWebhook, saveNewWebhook } from "./developer/webhooks/new.tsx";
import { showWebhook } from "./developer/webhooks/show.tsx";
import { editDomain, saveDomain } from "./domains/edit.tsx";
import { domainList } from "./domains/list.tsx";
import { newDomain, saveNewDomain } from "./domains/new.tsx";
import { confirmRemoval as confirmDomainRemoval, removeDomain, restoreDomain } from "./domains/remove.tsx";
import { checkNow, showDomain } from "./domains/show.tsx";
import {
  confirmFolderDeletion,
  deleteFolder,
  editFolder,
  restoreFolder,
  saveFolderName,
} from "./folders/changes.tsx";
import { folderList, saveFolder } from "./folders/list.tsx";
import type { Route } from "./frame/request.ts";
import { historyOfCode } from "./history/code-history.tsx";
import { historyFile, workspaceHistory } from "./history/list.tsx";
import { confirmJobUndo, putBack, undoChange, undoJob } from "./history/revert.tsx";
import { importCodes, importForm, importPage } from "./imports/import.tsx";
import { failedRows, jobResults } from "./jobs/downloads.ts";
import { jobList } from "./jobs/list.tsx";
import { cancelPrint, printedFile, printProgress, removePrintedFile, showPrint } from "./jobs/print-job.tsx";
import { jobProgress, showJob } from "./jobs/show.tsx";
import { firstPage, previewPart, printDesk, printFiles, sheetPart } from "./labels/desk.tsx";
import { downloadImages, imageDesk } from "./labels/images.tsx";
import { jobsPart } from "./overview/jobs.tsx";
import {
  createFirstCode,
  firstImage,
  firstStepsPart,
  hideFirstSteps,
  overview,
} from "./overview/overview.tsx";
import { colorNotes } from "./pages/color-notes.tsx";
import { confirmDraftDiscard, discardDraft } from "./pages/discard-draft.tsx";
import { createPage, editPage, newPage, savePage } from "./pages/editor.tsx";
import { confirmErasure, eraseChosen } from "./pages/erase.tsx";
import { pageList } from "./pages/list.tsx";
import { pagePreview, pagePreviewImage } from "./pages/preview.ts";
import { confirmPageDeletion, deletePage, restorePage, showPage } from "./pages/show.tsx";
import { showSubmission, submissionFile, submissionTable } from "./pages/submissions.tsx";
import { goPage, goResults } from "./palette/palette.tsx";
import { proposalList } from "./proposals/list.tsx";
import { confirm, decline, showProposal } from "./proposals/show.tsx";
import { accountSettings, saveAccountSettings } from "./settings/account.tsx";
import { accountDeletionForm, deleteOwnAccount } from "./settings/account-deletion.tsx";
import { generalSettings, saveGeneralSettings } from "./settings/general.tsx";
import {
  confirmLeaving,
  confirmRemoval,
  confirmTransfer,
  deleteMember,
  editRole,
  leave,
  saveRole,
  saveTransfer,
} from "./settings/members/changes.tsx";
import { newInvitation, saveInvitation } from "./settings/members/invite.tsx";
import { endInvitation, memberList } from "./settings/members/list.tsx";
import {
  acknowledgePasskeys,
  confirmPasskeyRemoval,
  deletePasskey,
  editPasskey,
  newPasskey,
  passkeyList,
  savePasskey,
  savePasskeyName,
} from "./settings/passkeys.tsx";
import { planSettings } from "./settings/plan.tsx";
import { reportSettings, saveReportSettings } from "./settings/reports.tsx";
import { endSession, sessionList } from "./settings/sessions.tsx";
import {
  cancelWorkspaceDeletion,
  deletionForm,
  requestDeletion,
  showDeletion,
} from "./settings/workspace-deletion.tsx";
import { confirmTagDeletion, deleteTag, renameTag, saveTagName } from "./tags/changes.tsx";
import { tagList } from "./tags/list.tsx";
import { createTemplate, editTemplate, newTemplate, saveTemplate } from "./templates/edit.tsx";
import {
  confirmTemplateDeletion,
  deleteTemplate,
  restoreTemplate,
  templateImage,
  templateList,
} from "./templates/list.tsx";
import { templatePreview, templateScore } from "./templates/preview.tsx";
import { picturesOfTemplate, proofOfTemplate } from "./templates/proof.tsx";
import {
  newWorkspace,
  saveWorkspace,
  switchTo,
  workspaceList,
  workspaceLogo,
} from "./workspaces/workspaces.tsx";

/**
 * Every page and form of the dashboard for signed-in users, with what their role must allow. Paths are below
 * /dashboard. A request counts on the user's meter unless its row says otherwise.
 */
export const routes: readonly Route[] = [
  ["GET", "/", "codes.read", overview],
  ["GET", "/first-steps", "codes.read", firstStepsPart],
  ["POST", "/first-steps", "codes.write", createFirstCode],
  ["GET", "/first-steps/image", "codes.read", firstImage],
  ["POST", "/first-steps/hide", "account", hideFirstSteps, { personal: true }],
  ["GET", "/jobs", "codes.read", jobList],
  ["GET", "/jobs/under-way", "codes.read", jobsPart, { counted: false }],
  ["GET", "/jobs/:id", "codes.read", showJob],
  ["GET", "/jobs/:id/progress", "codes.read", jobProgress, { counted: false }],
  ["GET", "/jobs/:id/undo", "codes.write", confirmJobUndo],
  ["POST", "/jobs/:id/undo", "codes.write", undoJob],
  ["GET", "/jobs/:id/results.csv", "codes.read", jobResults],
  ["GET", "/jobs/:id/failed.csv", "codes.read", failedRows],
  ["GET", "/go", "codes.read", goPage],
  ["GET", "/go/results", "codes.read", goResults],

  ["GET", "/codes", "codes.read", codeList],
  ["GET", "/codes/search", "codes.read", filterCodes],
  ["GET", "/codes/preview", "codes.write", codePreview],
  ["GET", "/codes/score", "codes.write", codeScore],
  ["GET", "/codes/proof", "codes.write", proofOfForm],
  ["GET", "/codes/proof.png", "codes.write", picturesOfForm],
  ["GET", "/codes/look.svg", "codes.write", lookPicture],
  ["GET", "/codes/new", "codes.write", newCode],
  ["POST", "/codes/new", "codes.write", createCode],
  ["POST", "/codes/logo", "settings", addLogoToCode],
  ["GET", "/codes/export.csv", "codes.read", codesFile],
  ["GET", "/codes/export.ndjson", "codes.read", wholeCodes],
  ["GET", "/codes/bulk", "codes.write", chooseForAll],
  ["POST", "/codes/bulk", "codes.write", updateCodes, { largeForm: bulkForm }],
  ["GET", "/codes/import", "codes.write", importPage],
  ["POST", "/codes/import", "codes.write", importCodes, { largeForm: importForm }],
  ["GET", "/codes/:id", "codes.read", orDeleted((request) => showCode(request))],
  ["GET", "/codes/:id/image", "codes.read", codeImage],
  ["GET", "/codes/:id/print", "codes.read", orDeleted(confirmPdf)],
  ["GET", "/codes/:id/proof", "codes.read", orDeleted(proofOfCodePage)],
  ["GET", "/codes/:id/proof/strip", "codes.read", proofStrip],
  ["GET", "/codes/:id/proof.png", "codes.read", proofPicture],
  ["GET", "/codes/:id/proof.pdf", "codes.read", orDeleted(proofPdf)],
  ["GET", "/codes/:id/edit", "codes.write", orDeleted(editCode)],
  ["POST", "/codes/:id/edit", "codes.write", orDeleted(saveCode)],
  ["POST", "/codes/:id/destination", "codes.write", orDeleted(publishDestination)],
  ["GET", "/codes/:id/aliases", "codes.write", orDeleted(confirmAliasMove)],
  ["POST", "/codes/:id/aliases", "codes.write", orDeleted(saveAlias)],
  ["POST", "/codes/:id/pause", "codes.write", orDeleted(pauseCode)],
  ["POST", "/codes/:id/resume", "codes.write", orDeleted(resumeCode)],
  ["GET", "/codes/:id/delete", "codes.write", orDeleted(confirmDeletion)],
  ["POST", "/codes/:id/delete", "codes.write", orDeleted(deleteCode)],
  ["POST", "/codes/:id/restore", "codes.write", restoreCode],
  ["GET", "/codes/:id/erase", "codes.write", confirmCodeErasure],
  ["POST", "/codes/:id/erase", "codes.write", eraseCode],

  ["GET", "/codes/:id/history", "codes.read", orDeleted(historyOfCode)],
  ["GET", "/codes/:id/scans", "codes.read", orDeleted(scansOfCode)],
  ["GET", "/codes/:id/scans/log.csv", "codes.read", orDeleted(scanLogFile)],
  ["GET", "/codes/:id/test", "codes.read", orDeleted(testPage)],
  ["GET", "/codes/:id/share", "codes.write", orDeleted(shareCode)],
  ["POST", "/codes/:id/share", "codes.write", orDeleted(saveShareCode)],
  ["GET", "/codes/:id/report.csv", "codes.read", orDeleted(codeReportFile)],
  ["GET", "/codes/:id/breakdowns.csv", "codes.read", orDeleted(codeBreakdownsFile)],
  ["GET", "/codes/:id/scans.csv", "codes.read", orDeleted(codeScansFile)],
  ["GET", "/report.csv", "codes.read", workspaceReportFile],
  ["GET", "/breakdowns.csv", "codes.read", workspaceBreakdownsFile],
  ["GET", "/scans.csv", "codes.read", workspaceScansFile],
  ["GET", "/share", "codes.write", shareCodes],
  ["POST", "/share", "codes.write", saveShareCodes],
  ["POST", "/shared/:shared/replace", "codes.write", replaceLink],
  ["POST", "/shared/:shared/revoke", "codes.write", revokeLink],

  ["GET", "/prints/:id", "codes.read", showPrint],
  ["GET", "/prints/:id/progress", "codes.read", printProgress, { counted: false }],
  ["GET", "/prints/:id/file", "codes.read", printedFile],
  ["POST", "/prints/:id/cancel", "codes.read", cancelPrint],
  ["POST", "/prints/:id/remove", "codes.read", removePrintedFile],
  ["GET", "/print", "codes.read", printDesk],
  ["POST", "/print", "codes.read", printFiles, { largeForm: bulkForm }],
  ["GET", "/print/images", "codes.read", imageDesk],
  ["POST", "/print/images", "codes.read", downloadImages, { largeForm: bulkForm }],
  ["GET", "/print/sheet", "codes.read", sheetPart],
  ["GET", "/print/preview", "codes.read", previewPart],
  ["GET", "/print/page.svg", "codes.read", firstPage],

  ["GET", "/folders", "codes.read", folderList],
  ["POST", "/folders", "codes.write", saveFolder],
  ["GET", "/folders/:id/edit", "codes.write", editFolder],
  ["POST", "/folders/:id/edit", "codes.write", saveFolderName],
  ["GET", "/folders/:id/delete", "codes.write", confirmFolderDeletion],
  ["POST", "/folders/:id/delete", "codes.write", deleteFolder],
  ["POST", "/folders/:id/restore", "codes.write", restoreFolder],

  ["GET", "/bin", "codes.read", bin],

  ["GET", "/tags", "codes.read", tagList],
  ["GET", "/tags/rename", "codes.write", renameTag],
  ["POST", "/tags/rename", "codes.write", saveTagName],
  ["GET", "/tags/delete", "codes.write", confirmTagDeletion],
  ["POST", "/tags/delete", "codes.write", deleteTag],

  ["GET", "/choices/:kind", "codes.read", suggestions],

  ["GET", "/pages", "codes.read", pageList],
  ["GET", "/pages/new", "codes.write", newPage],
  ["POST", "/pages/new", "codes.write", createPage],
  ["GET", "/pages/contrast", "codes.write", colorNotes],
  ["POST", "/pages/preview", "codes.write", pagePreview],
  ["GET", "/pages/preview-image", "codes.read", pagePreviewImage],
  ["GET", "/pages/:id", "codes.read", showPage],
  ["GET", "/pages/:id/edit", "codes.write", editPage],
  ["POST", "/pages/:id/edit", "codes.write", savePage],
  ["GET", "/pages/:id/draft/discard", "codes.write", confirmDraftDiscard],
  ["POST", "/pages/:id/draft/discard", "codes.write", discardDraft],
  ["GET", "/pages/:id/delete", "codes.write", confirmPageDeletion],
  ["POST", "/pages/:id/delete", "codes.write", deletePage],
  ["POST", "/pages/:id/restore", "codes.write", restorePage],
  ["GET", "/pages/:id/submissions", "submissions.read", submissionTable],
  ["GET", "/pages/:id/submissions/export", "submissions.manage", submissionFile],
  ["GET", "/pages/:id/submissions/erase", "submissions.manage", confirmErasure],
  ["POST", "/pages/:id/submissions/erase", "submissions.manage", eraseChosen],
  ["GET", "/pages/:id/submissions/:submission", "submissions.read", showSubmission],

  ["GET", "/templates", "codes.read", templateList],
  ["GET", "/templates/new", "codes.write", newTemplate],
  ["POST", "/templates/new", "codes.write", createTemplate],
  ["POST", "/templates/preview", "codes.write", templatePreview],
  ["POST", "/templates/score", "codes.write", templateScore],
  ["GET", "/templates/proof", "codes.write", proofOfTemplate],
  ["GET", "/templates/proof.png", "codes.write", picturesOfTemplate],
  ["GET", "/templates/:id/image", "codes.read", templateImage],
  ["GET", "/templates/:id/edit", "codes.write", editTemplate],
  ["POST", "/templates/:id/edit", "codes.write", saveTemplate],
  ["GET", "/templates/:id/delete", "codes.write", confirmTemplateDeletion],
  ["POST", "/templates/:id/delete", "codes.write", deleteTemplate],
  ["POST", "/templates/:id/restore", "codes.write", restoreTemplate],

  ["GET", "/domains", "codes.read", domainList],
  ["GET", "/domains/new", "domains", newDomain],
  ["POST", "/domains/new", "domains", saveNewDomain],
  ["GET", "/domains/:id", "codes.read", showDomain],
  ["POST", "/domains/:id/check", "domains", checkNow],
  ["GET", "/domains/:id/edit", "domains", editDomain],
  ["POST", "/domains/:id/edit", "domains", saveDomain],
  ["GET", "/domains/:id/remove", "domains", confirmDomainRemoval],
  ["POST", "/domains/:id/remove", "domains", removeDomain],
  ["POST", "/domains/:id/restore", "domains", restoreDomain],

  ["GET", "/history", "codes.read", workspaceHistory],
  ["GET", "/history/export.ndjson", "codes.read", historyFile],
  ["POST", "/history/undo", "codes.write", undoChange],
  ["POST", "/history/:id/revert", "codes.write", putBack],

  ["GET", "/changes", "codes.write", proposalList],
  ["GET", "/changes/:id", "codes.write", showProposal],
  ["POST", "/changes/:id", "codes.write", confirm],
  ["POST", "/changes/:id/decline", "codes.write", decline],

  ["GET", "/developer", "keys", developerOverview],
  ["GET", "/developer/keys", "keys", keyList],
  ["GET", "/developer/keys/new", "keys", newKey],
  ["POST", "/developer/keys/new", "keys", saveKey],
  ["GET", "/developer/keys/:id/rotate", "keys", confirmKeyRotation],
  ["POST", "/developer/keys/:id/rotate", "keys", saveKeyRotation],
  ["GET", "/developer/keys/:id/domains", "keys", confirmKeyDomains],
  ["POST", "/developer/keys/:id/domains", "keys", saveKeyDomains],
  ["GET", "/developer/keys/:id/revoke", "keys", confirmRevocation],
  ["POST", "/developer/keys/:id/revoke", "keys", revokeKey],

  ["GET", "/developer/webhooks", "webhooks", webhookList],
  ["GET", "/developer/webhooks/new", "webhooks", newWebhook],
  ["POST", "/developer/webhooks/new", "webhooks", saveNewWebhook],
  ["GET", "/developer/webhooks/:id", "webhooks", showWebhook],
  ["GET", "/developer/webhooks/:id/edit", "webhooks", editWebhook],
  ["POST", "/developer/webhooks/:id/edit", "webhooks", saveWebhook],
  ["POST", "/developer/webhooks/:id/pause", "webhooks", pauseWebhook],
  ["POST", "/developer/webhooks/:id/resume", "webhooks", resumeWebhook],
  ["POST", "/developer/webhooks/:id/test", "webhooks", sendTest],
  ["GET", "/developer/webhooks/:id/rotate", "webhooks", confirmRotation],
  ["POST", "/developer/webhooks/:id/rotate", "webhooks", rotate],
  ["GET", "/developer/webhooks/:id/delete", "webhooks", confirmWebhookDeletion],
  ["POST", "/developer/webhooks/:id/delete", "webhooks", deleteWebhook],
  ["GET", "/developer/webhooks/:id/deliveries", "webhooks", deliveryList],
  ["GET", "/developer/webhooks/:id/deliveries/:delivery", "webhooks", showDelivery],
  ["GET", "/developer/webhooks/:id/deliveries/:delivery/part", "webhooks", deliveryPart, { counted: false }],
  ["POST", "/developer/webhooks/:id/deliveries/:delivery/replay", "webhooks", replayDelivery],
  ["GET", "/developer/webhooks/:id/replay", "webhooks", replayForm],
  ["POST", "/developer/webhooks/:id/replay", "webhooks", beginReplay],
  ["GET", "/developer/webhooks/:id/replay/progress", "webhooks", replayProgress, { counted: false }],
  ["POST", "/developer/webhooks/:id/replay/stop", "webhooks", endReplay],

  ["GET", "/workspaces", "account", workspaceList],
  ["POST", "/workspaces/switch", "account", switchTo, { personal: true }],
  ["GET", "/workspaces/:id/logo", "account", workspaceLogo],
  ["GET", "/workspaces/new", "account", newWorkspace],
  ["POST", "/workspaces/new", "account", saveWorkspace, { personal: true }],

  ["GET", "/settings", "account", generalSettings],
  ["POST", "/settings", "workspace", saveGeneralSettings],
  ["GET", "/settings/members", "codes.read", memberList],
  ["GET", "/settings/members/invite", "members", newInvitation],
  ["POST", "/settings/members/invite", "members", saveInvitation],
  ["POST", "/settings/members/invitations/:id/revoke", "members", endInvitation],
  ["GET", "/settings/members/leave", "account", confirmLeaving],
  ["POST", "/settings/members/leave", "account", leave],
  ["GET", "/settings/members/:id/role", "members", editRole],
  ["POST", "/settings/members/:id/role", "members", saveRole],
  ["GET", "/settings/members/:id/remove", "members", confirmRemoval],
  ["POST", "/settings/members/:id/remove", "members", deleteMember],
  ["GET", "/settings/members/:id/transfer", "workspace", confirmTransfer],
  ["POST", "/settings/members/:id/transfer", "workspace", saveTransfer],
  ["GET", "/settings/delete", "workspace", deletionForm],
  ["POST", "/settings/delete", "workspace", requestDeletion],
  ["GET", "/settings/deletion", "account", showDeletion],
  ["POST", "/settings/deletion/cancel", "workspace", cancelWorkspaceDeletion],
  ["GET", "/settings/plan", "account", planSettings],
  ["GET", "/settings/reports", "settings", reportSettings],
  ["POST", "/settings/reports", "settings", saveReportSettings],
  ["GET", "/settings/account", "account", accountSettings],
  ["POST", "/settings/account", "account", saveAccountSettings, { personal: true }],
  ["GET", "/settings/account/delete", "account", accountDeletionForm],
  ["POST", "/settings/account/delete", "account", deleteOwnAccount, { personal: true }],
  ["GET", "/settings/passkeys", "account", passkeyList],
  ["GET", "/settings/passkeys/new", "account", newPasskey],
  ["POST", "/settings/passkeys/new", "account", savePasskey, { personal: true }],
  ["POST", "/settings/passkeys/seen", "account", acknowledgePasskeys, { personal: true }],
  ["GET", "/settings/passkeys/:id/rename", "account", editPasskey],
  ["POST", "/settings/passkeys/:id/rename", "account", savePasskeyName, { personal: true }],
  ["GET", "/settings/passkeys/:id/remove", "account", confirmPasskeyRemoval],
  ["POST", "/settings/passkeys/:id/remove", "account", deletePasskey, { personal: true }],
  ["GET", "/settings/sessions", "account", sessionList],
  ["POST", "/settings/sessions/:id/end", "account", endSession, { personal: true }],
  ["GET", "/settings/brand", "settings", brandPage],
  ["POST", "/settings/brand", "settings", changeBrand],
  ["GET", "/settings/brand/logos/:id", "codes.read", logoFile],
  ["GET", "/settings/brand/logos/:id/edit", "settings", editLogo],
  ["POST", "/settings/brand/logos/:id/edit", "settings", saveLogoName],
  ["GET", "/settings/brand/logos/:id/delete", "settings", confirmLogoDeletion],
  ["POST", "/settings/brand/logos/:id/delete", "settings", deleteLogo],
];
