import { codeBreakdownsFile, codeReportFile, codeScansFile } from "../analytics/files.ts";
import { saveShareCode, shareCode } from "../analytics/share-page.tsx";
import { testPage } from "../analytics/test-page.tsx";
import { form, type Route } from "../frame/request.ts";
import {
  confirmCodeErasure,
  confirmDeletion,
  deleteCode,
  eraseCode,
  pauseCode,
  restoreCode,
  resumeCode,
} from "./changes.tsx";
import { orDeleted } from "./deleted.tsx";
import { editCode, saveCode } from "./edit.tsx";
import { codePreview, codeScore, lookPicture } from "./form/preview.tsx";
import { picturesOfForm, proofOfForm } from "./form/proof.tsx";
import { publishDestination } from "./head/publish.ts";
import { confirmAliasMove, saveAlias } from "./head/save-alias.tsx";
import { codeImage } from "./image.ts";
import { codesFile, wholeCodes } from "./list/file.ts";
import { filterCodes } from "./list/filter.ts";
import { codeList } from "./list/list.tsx";
import { addLogoToCode } from "./logo.ts";
import { createCode, newCode } from "./new.tsx";
import { confirmPdf } from "./print.tsx";
import { proofOfCodePage, proofPdf, proofPicture, proofStrip } from "./proof.tsx";
import { scanLogFile } from "./scans/file.ts";
import { scansOfCode } from "./scans/scans.tsx";
import { showCode } from "./show.tsx";
import { stillScanned } from "./still-scanned.tsx";

/** The pages and forms of codes. */
export const codeRoutes: readonly Route[] = [
  ["GET", "/codes", "codes.read", codeList],
  ["GET", "/codes/search", "codes.read", filterCodes],
  ["GET", "/codes/preview", "codes.write", codePreview],
  ["GET", "/codes/score", "codes.write", codeScore],
  ["GET", "/codes/proof", "codes.write", proofOfForm],
  ["GET", "/codes/proof.png", "codes.write", picturesOfForm],
  ["GET", "/codes/look.svg", "codes.write", lookPicture],
  ...form("/codes/new", "codes.write", newCode, createCode),
  ["POST", "/codes/logo", "settings", addLogoToCode],
  ["GET", "/codes/export.csv", "codes.read", codesFile],
  ["GET", "/codes/export.ndjson", "codes.read", wholeCodes],
  ["GET", "/codes/still-scanned", "codes.read", stillScanned],
  ["GET", "/codes/:id", "codes.read", orDeleted((request) => showCode(request))],
  ["GET", "/codes/:id/image", "codes.read", codeImage],
  ["GET", "/codes/:id/print", "codes.read", orDeleted(confirmPdf)],
  ["GET", "/codes/:id/proof", "codes.read", orDeleted(proofOfCodePage)],
  ["GET", "/codes/:id/proof/strip", "codes.read", proofStrip],
  ["GET", "/codes/:id/proof.png", "codes.read", proofPicture],
  ["GET", "/codes/:id/proof.pdf", "codes.read", orDeleted(proofPdf)],
  ...form("/codes/:id/edit", "codes.write", orDeleted(editCode), orDeleted(saveCode)),
  ["POST", "/codes/:id/destination", "codes.write", orDeleted(publishDestination)],
  ...form("/codes/:id/aliases", "codes.write", orDeleted(confirmAliasMove), orDeleted(saveAlias)),
  ["POST", "/codes/:id/pause", "codes.write", orDeleted(pauseCode)],
  ["POST", "/codes/:id/resume", "codes.write", orDeleted(resumeCode)],
  ...form("/codes/:id/delete", "codes.write", orDeleted(confirmDeletion), orDeleted(deleteCode)),
  ["POST", "/codes/:id/restore", "codes.write", restoreCode],
  ...form("/codes/:id/erase", "codes.write", confirmCodeErasure, eraseCode),
  ["GET", "/codes/:id/scans", "codes.read", orDeleted(scansOfCode)],
  ["GET", "/codes/:id/scans/log.csv", "codes.read", orDeleted(scanLogFile)],
  ["GET", "/codes/:id/test", "codes.read", orDeleted(testPage)],
  ...form("/codes/:id/share", "codes.write", orDeleted(shareCode), orDeleted(saveShareCode)),
  ["GET", "/codes/:id/report.csv", "codes.read", orDeleted(codeReportFile)],
  ["GET", "/codes/:id/breakdowns.csv", "codes.read", orDeleted(codeBreakdownsFile)],
  ["GET", "/codes/:id/scans.csv", "codes.read", orDeleted(codeScansFile)],
];
