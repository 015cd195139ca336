import { endSession, sessionList } from "./account/sessions.tsx";
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
import { brandPage, changeBrand } from "./brand/brand.tsx";
import { confirmLogoDeletion, deleteLogo, editLogo, logoFile, saveLogoName } from "./brand/logos.tsx";
import { accountSettings, saveAccountSettings } from "./settings/account.tsx";
import { generalSettings, saveGeneralSettings } from "./settings/general.tsx";
import { bulkForm, chooseForAll, updateCodes } from "./bulk/update.tsx";
import { suggestions } from "./choices/suggestions.ts";
import { importCodes, importForm, importPage } from "./imports/import.tsx";
import {
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
import { confirmDeletion, deleteCode, pauseCode, restoreCode, resumeCode } from "./codes/changes.tsx";
import { deletedCodes } from "./codes/deleted-list.tsx";
import { orDeleted } from "./codes/deleted.tsx";
import { editCode, saveCode } from "./codes/edit.tsx";
import { codesFile } from "./codes/list/file.ts";
import { filterCodes } from "./codes/list/filter.ts";
import { codeImage } from "./codes/image.ts";
import { codeList } from "./codes/list/list.tsx";
import { createCode, newCode } from "./codes/new.tsx";
import { codePreview, codeScore } from "./codes/form/preview.tsx";
import { scanLogFile } from "./codes/scans/file.ts";
import { scansOfCode } from "./codes/scans/scans.tsx";
import { showCode } from "./codes/show.tsx";
import { keyList } from "./developer/keys/list.tsx";
import { newKey, saveKey } from "./developer/keys/new.tsx";
import { confirmRevocation, revokeKey } from "./developer/keys/revoke.tsx";
import { deliveryList } from "./developer/deliveries/list.tsx";
import { beginReplay, endReplay, replayForm, replayProgress } from "./developer/deliveries/replay.tsx";
import { deliveryPart, replayDelivery, showDelivery } from "./developer/deliveries/show.tsx";
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
import { confirmFolderDeletion, deleteFolder, editFolder, saveFolderName } from "./folders/changes.tsx";
import { folderList, saveFolder } from "./folders/list.tsx";
import type { Route } from "./frame/request.ts";
import { gallery } from "./gallery/gallery.tsx";
import { failedRows, jobResults } from "./jobs/downloads.ts";
import { jobList } from "./jobs/list.tsx";
import { cancelPrint, printedFile, printProgress, removePrintedFile, showPrint } from "./jobs/print-job.tsx";
import { jobProgress, showJob } from "./jobs/show.tsx";
import { firstPage, previewPart, printDesk, printFiles, sheetPart } from "./labels/desk.tsx";
import { downloadImages, imageDesk } from "./labels/images.tsx";
import { goPage, goResults } from "./palette/palette.tsx";
import { jobsPart } from "./overview/jobs.tsx";
import {
  createFirstCode,
  firstImage,
  firstStepsPart,
  hideFirstSteps,
  overview,
} from "./overview/overview.tsx";
import { contrastNotes } from "./pages/contrast.tsx";
import { createPage, editPage, newPage, savePage } from "./pages/editor.tsx";
import { confirmErasure, eraseChosen } from "./pages/erase.tsx";
import { pageList } from "./pages/list.tsx";
import { pagePreview, pagePreviewImage } from "./pages/preview.ts";
import { confirmPageDeletion, deletePage, showPage } from "./pages/show.tsx";
import { showSubmission, submissionFile, submissionTable } from "./pages/submissions.tsx";
import { confirmTagDeletion, deleteTag, renameTag, saveTagName } from "./tags/changes.tsx";
import { tagList } from "./tags/list.tsx";
import {
  createTemplate,
  editTemplate,
  newTemplate,
  saveTemplate,
  templatePreview,
  templateScore,
} from "./templates/edit.tsx";
import { confirmTemplateDeletion, deleteTemplate, templateImage, templateList } from "./templates/list.tsx";

/**
 * Every page and form of the dashboard for signed-in users. Paths are below /dashboard. A request counts on the user's
 * meter unless its row says otherwise.
 */
export const routes: readonly Route[] = [
  ["GET", "/", overview],
  ["GET", "/first-steps", firstStepsPart],
  ["POST", "/first-steps", createFirstCode],
  ["GET", "/first-steps/image", firstImage],
  ["POST", "/first-steps/hide", hideFirstSteps],
  ["GET", "/components", gallery],
  ["GET", "/jobs", jobList],
  ["GET", "/jobs/under-way", jobsPart, { counted: false }],
  ["GET", "/jobs/:id", showJob],
  ["GET", "/jobs/:id/progress", jobProgress, { counted: false }],
  ["GET", "/jobs/:id/results.csv", jobResults],
  ["GET", "/jobs/:id/failed.csv", failedRows],
  ["GET", "/go", goPage],
  ["GET", "/go/results", goResults],

  ["GET", "/codes", codeList],
  ["GET", "/codes/search", filterCodes],
  ["GET", "/codes/preview", codePreview],
  ["GET", "/codes/score", codeScore],
  ["GET", "/codes/new", newCode],
  ["POST", "/codes/new", createCode],
  ["GET", "/codes/deleted", deletedCodes],
  ["GET", "/codes/export.csv", codesFile],
  ["GET", "/codes/bulk", chooseForAll],
  ["POST", "/codes/bulk", updateCodes, { largeForm: bulkForm }],
  ["GET", "/codes/import", importPage],
  ["POST", "/codes/import", importCodes, { largeForm: importForm }],
  ["GET", "/codes/:id", orDeleted(showCode)],
  ["GET", "/codes/:id/image", codeImage],
  ["GET", "/codes/:id/edit", orDeleted(editCode)],
  ["POST", "/codes/:id/edit", orDeleted(saveCode)],
  ["POST", "/codes/:id/pause", orDeleted(pauseCode)],
  ["POST", "/codes/:id/resume", orDeleted(resumeCode)],
  ["GET", "/codes/:id/delete", orDeleted(confirmDeletion)],
  ["POST", "/codes/:id/delete", orDeleted(deleteCode)],
  ["POST", "/codes/:id/restore", restoreCode],

  ["GET", "/codes/:id/scans", orDeleted(scansOfCode)],
  ["GET", "/codes/:id/scans/log.csv", orDeleted(scanLogFile)],
  ["GET", "/codes/:id/test", orDeleted(testPage)],
  ["GET", "/codes/:id/share", orDeleted(shareCode)],
  ["POST", "/codes/:id/share", orDeleted(saveShareCode)],
  ["GET", "/codes/:id/report.csv", orDeleted(codeReportFile)],
  ["GET", "/codes/:id/breakdowns.csv", orDeleted(codeBreakdownsFile)],
  ["GET", "/codes/:id/scans.csv", orDeleted(codeScansFile)],
  ["GET", "/report.csv", workspaceReportFile],
  ["GET", "/breakdowns.csv", workspaceBreakdownsFile],
  ["GET", "/scans.csv", workspaceScansFile],
  ["GET", "/share", shareCodes],
  ["POST", "/share", saveShareCodes],
  ["POST", "/shared/:shared/replace", replaceLink],
  ["POST", "/shared/:shared/revoke", revokeLink],

  ["GET", "/prints/:id", showPrint],
  ["GET", "/prints/:id/progress", printProgress, { counted: false }],
  ["GET", "/prints/:id/file", printedFile],
  ["POST", "/prints/:id/cancel", cancelPrint],
  ["POST", "/prints/:id/remove", removePrintedFile],
  ["GET", "/print", printDesk],
  ["POST", "/print", printFiles, { largeForm: bulkForm }],
  ["GET", "/print/images", imageDesk],
  ["POST", "/print/images", downloadImages, { largeForm: bulkForm }],
  ["GET", "/print/sheet", sheetPart],
  ["GET", "/print/preview", previewPart],
  ["GET", "/print/page.svg", firstPage],

  ["GET", "/folders", folderList],
  ["POST", "/folders", saveFolder],
  ["GET", "/folders/:id/edit", editFolder],
  ["POST", "/folders/:id/edit", saveFolderName],
  ["GET", "/folders/:id/delete", confirmFolderDeletion],
  ["POST", "/folders/:id/delete", deleteFolder],

  ["GET", "/tags", tagList],
  ["GET", "/tags/rename", renameTag],
  ["POST", "/tags/rename", saveTagName],
  ["GET", "/tags/delete", confirmTagDeletion],
  ["POST", "/tags/delete", deleteTag],

  ["GET", "/choices/:kind", suggestions],

  ["GET", "/pages", pageList],
  ["GET", "/pages/new", newPage],
  ["POST", "/pages/new", createPage],
  ["GET", "/pages/contrast", contrastNotes],
  ["POST", "/pages/preview", pagePreview],
  ["GET", "/pages/preview-image", pagePreviewImage],
  ["GET", "/pages/:id", showPage],
  ["GET", "/pages/:id/edit", editPage],
  ["POST", "/pages/:id/edit", savePage],
  ["GET", "/pages/:id/delete", confirmPageDeletion],
  ["POST", "/pages/:id/delete", deletePage],
  ["GET", "/pages/:id/submissions", submissionTable],
  ["GET", "/pages/:id/submissions/export", submissionFile],
  ["GET", "/pages/:id/submissions/erase", confirmErasure],
  ["POST", "/pages/:id/submissions/erase", eraseChosen],
  ["GET", "/pages/:id/submissions/:submission", showSubmission],

  ["GET", "/templates", templateList],
  ["GET", "/templates/new", newTemplate],
  ["POST", "/templates/new", createTemplate],
  ["POST", "/templates/preview", templatePreview],
  ["POST", "/templates/score", templateScore],
  ["GET", "/templates/:id/image", templateImage],
  ["GET", "/templates/:id/edit", editTemplate],
  ["POST", "/templates/:id/edit", saveTemplate],
  ["GET", "/templates/:id/delete", confirmTemplateDeletion],
  ["POST", "/templates/:id/delete", deleteTemplate],

  ["GET", "/developer", developerOverview],
  ["GET", "/developer/keys", keyList],
  ["GET", "/developer/keys/new", newKey],
  ["POST", "/developer/keys/new", saveKey],
  ["GET", "/developer/keys/:id/revoke", confirmRevocation],
  ["POST", "/developer/keys/:id/revoke", revokeKey],

  ["GET", "/developer/webhooks", webhookList],
  ["GET", "/developer/webhooks/new", newWebhook],
  ["POST", "/developer/webhooks/new", saveNewWebhook],
  ["GET", "/developer/webhooks/:id", showWebhook],
  ["GET", "/developer/webhooks/:id/edit", editWebhook],
  ["POST", "/developer/webhooks/:id/edit", saveWebhook],
  ["POST", "/developer/webhooks/:id/pause", pauseWebhook],
  ["POST", "/developer/webhooks/:id/resume", resumeWebhook],
  ["POST", "/developer/webhooks/:id/test", sendTest],
  ["GET", "/developer/webhooks/:id/rotate", confirmRotation],
  ["POST", "/developer/webhooks/:id/rotate", rotate],
  ["GET", "/developer/webhooks/:id/delete", confirmWebhookDeletion],
  ["POST", "/developer/webhooks/:id/delete", deleteWebhook],
  ["GET", "/developer/webhooks/:id/deliveries", deliveryList],
  ["GET", "/developer/webhooks/:id/deliveries/:delivery", showDelivery],
  ["GET", "/developer/webhooks/:id/deliveries/:delivery/part", deliveryPart, { counted: false }],
  ["POST", "/developer/webhooks/:id/deliveries/:delivery/replay", replayDelivery],
  ["GET", "/developer/webhooks/:id/replay", replayForm],
  ["POST", "/developer/webhooks/:id/replay", beginReplay],
  ["GET", "/developer/webhooks/:id/replay/progress", replayProgress, { counted: false }],
  ["POST", "/developer/webhooks/:id/replay/stop", endReplay],

  ["GET", "/settings", generalSettings],
  ["POST", "/settings", saveGeneralSettings],
  ["GET", "/settings/plan", planSettings],
  ["GET", "/settings/reports", reportSettings],
  ["POST", "/settings/reports", saveReportSettings],
  ["GET", "/settings/account", accountSettings],
  ["POST", "/settings/account", saveAccountSettings],
  ["GET", "/settings/passkeys", passkeyList],
  ["GET", "/settings/passkeys/new", newPasskey],
  ["POST", "/settings/passkeys/new", savePasskey],
  ["GET", "/settings/passkeys/:id/rename", editPasskey],
  ["POST", "/settings/passkeys/:id/rename", savePasskeyName],
  ["GET", "/settings/passkeys/:id/remove", confirmPasskeyRemoval],
  ["POST", "/settings/passkeys/:id/remove", deletePasskey],
  ["GET", "/settings/sessions", sessionList],
  ["POST", "/settings/sessions/:id/end", endSession],
  ["GET", "/settings/brand", brandPage],
  ["POST", "/settings/brand", changeBrand],
  ["GET", "/settings/brand/logos/:id", logoFile],
  ["GET", "/settings/brand/logos/:id/edit", editLogo],
  ["POST", "/settings/brand/logos/:id/edit", saveLogoName],
  ["GET", "/settings/brand/logos/:id/delete", confirmLogoDeletion],
  ["POST", "/settings/brand/logos/:id/delete", deleteLogo],
];
