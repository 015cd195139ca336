import { describeQueryIssues } from "../../contract/issues.ts";
import { CodeImageQuery } from "../../contract/resources/images/images.ts";
import { ServiceError } from "../../domain/errors.ts";
import { getCodeFile } from "../../domain/print/code-file.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** Returns a code's image as a file, with the options of the API. */
export async function codeImage({ deps, context, query, param }: DashboardRequest): Promise<Response> {
  const given = Object.fromEntries(query);
  const parsed = CodeImageQuery.safeParse(given);
  if (!parsed.success) {
    throw new ServiceError("invalid_input", describeQueryIssues(parsed.error.issues, given));
  }
  const file = await getCodeFile(deps, context, param("id"), parsed.data);
  return new Response(await file.draw(), {
    headers: { ...fileHeaders(file), "content-type": file.mediaType, "cache-control": "no-store" },
  });
}
