import { form, type Route } from "../frame/request.ts";
import { createTemplate, editTemplate, newTemplate, saveTemplate } from "./edit.tsx";
import {
  confirmTemplateDeletion,
  deleteTemplate,
  restoreTemplate,
  templateImage,
  templateList,
} from "./list.tsx";
import { templatePreview, templateScore } from "./preview.tsx";
import { picturesOfTemplate, proofOfTemplate } from "./proof.tsx";

/** The pages and forms of templates. */
export const templateRoutes: readonly Route[] = [
  ["GET", "/templates", "codes.read", templateList],
  ...form("/templates/new", "codes.write", newTemplate, createTemplate),
  ["POST", "/templates/preview", "codes.write", templatePreview],
  ["POST", "/templates/score", "codes.write", templateScore],
  ["GET", "/templates/proof", "codes.write", proofOfTemplate],
  ["GET", "/templates/proof.png", "codes.write", picturesOfTemplate],
  ["GET", "/templates/:id/image", "codes.read", templateImage],
  ...form("/templates/:id/edit", "codes.write", editTemplate, saveTemplate),
  ...form("/templates/:id/delete", "codes.write", confirmTemplateDeletion, deleteTemplate),
  ["POST", "/templates/:id/restore", "codes.write", restoreTemplate],
];
