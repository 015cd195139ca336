import type { Member } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import type { FlashName } from "./flash.ts";
import type { Answer } from "./request.ts";

/**
 * Returns the handler of a form that changes what its path names, and confirms that on another page.
 * @param verb the change. @throws ServiceError, which is shown as a page
 * @param next the address of that page
 */
export const change =
  (
    verb: (deps: Deps, context: Member, id: string) => Promise<unknown>,
    next: string | ((id: string, form: URLSearchParams) => string),
    flash: FlashName,
  ): Answer =>
  async ({ deps, context, param, form }) => {
    const id = param("id");
    await verb(deps, context, id);
    return { seeOther: typeof next === "string" ? next : next(id, form), flash, subject: id };
  };
