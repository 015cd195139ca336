import { form, type Route } from "../frame/request.ts";
import { colorNotes } from "./color-notes.tsx";
import { confirmDraftDiscard, discardDraft } from "./discard-draft.tsx";
import { createPage, editPage, newPage, savePage } from "./editor.tsx";
import { confirmErasure, eraseChosen } from "./erase.tsx";
import { pageList } from "./list.tsx";
import { pagePreview, pagePreviewImage } from "./preview.ts";
import { confirmPageDeletion, deletePage, restorePage, showPage } from "./show.tsx";
import { showSubmission, submissionFile, submissionTable } from "./submissions.tsx";

/** The pages and forms of hosted pages. */
export const pageRoutes: readonly Route[] = [
  ["GET", "/pages", "codes.read", pageList],
  ...form("/pages/new", "codes.write", newPage, createPage),
  ["GET", "/pages/contrast", "codes.write", colorNotes],
  ["POST", "/pages/preview", "codes.write", pagePreview],
  ["GET", "/pages/preview-image", "codes.read", pagePreviewImage],
  ["GET", "/pages/:id", "codes.read", showPage],
  ...form("/pages/:id/edit", "codes.write", editPage, savePage),
  ...form("/pages/:id/draft/discard", "codes.write", confirmDraftDiscard, discardDraft),
  ...form("/pages/:id/delete", "codes.write", confirmPageDeletion, deletePage),
  ["POST", "/pages/:id/restore", "codes.write", restorePage],
  ["GET", "/pages/:id/submissions", "submissions.read", submissionTable],
  ["GET", "/pages/:id/submissions/export", "submissions.manage", submissionFile],
  ...form("/pages/:id/submissions/erase", "submissions.manage", confirmErasure, eraseChosen),
  ["GET", "/pages/:id/submissions/:submission", "submissions.read", showSubmission],
];
