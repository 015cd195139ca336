import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { expectError } from "../endpoints.ts";
import type { SessionClient } from "../service.ts";

/** Expects a logo to be refused without being stored. @returns the error */
export async function refusedLogo(session: SessionClient, logo: unknown): Promise<string> {
  const creation = await session.send("POST", "/developer/templates", { name: "Logo", logo });
  const error = await expectError(creation, 400, "invalid_input");
  expect(error).toMatch(/^logo /);
  const logos = env.DB.prepare("SELECT count(*) AS n FROM logos WHERE workspace_id = ?");
  expect(await logos.bind(session.workspaceId).first("n")).toBe(0);
  return error;
}
