import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { expectError } from "../endpoints.ts";
import type { SessionClient } from "../service.ts";

/** Expects a logo to be refused, on creation and on update, without being stored. @returns the error */
export async function refusedLogo(session: SessionClient, logo: unknown): Promise<string> {
  const path = "/developer/templates";
  const { id } = await session.expect(201, Template, "POST", path, { name: "None" });
  const change = await session.send("PATCH", `${path}/${id}`, { logo });
  const error = await expectError(change, 400, "invalid_input");
  await session.send("DELETE", `${path}/${id}`);
  const creation = await session.send("POST", path, { name: "Logo", logo });
  expect(await expectError(creation, 400, "invalid_input")).toBe(error);
  expect(error).toMatch(/^logo /);
  const logos = env.DB.prepare("SELECT count(*) AS n FROM logos WHERE workspace_id = ?");
  expect(await logos.bind(session.workspaceId).first("n")).toBe(0);
  return error;
}
