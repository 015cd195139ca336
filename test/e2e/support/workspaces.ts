import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { expect, inject } from "vitest";
import { PlanChange, type PlanInput } from "../../../src/contract/endpoints/operator.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import type { Browser } from "./browser.ts";
import { readStrictly } from "./read-strictly.ts";
import { RunningService } from "./running-service.ts";
import { callDeveloper, signIn } from "./sign-in.ts";

/**
 * The service that all end-to-end tests share, with the key of the demo workspace.
 * @throws with its output if it did not start
 */
export function sharedService(): RunningService {
  const stack = inject("sharedStack");
  if ("failure" in stack) throw new Error(`The shared service did not start: ${stack.failure}`);
  return new RunningService(stack);
}

/** A workspace on the shared service that only one test file or test uses. */
export class OwnWorkspace {
  readonly id: string;
  /** The service, with a secret key of this workspace. */
  readonly service: RunningService;
  readonly #browser: Browser;

  private constructor(id: string, service: RunningService, browser: Browser) {
    this.id = id;
    this.service = service;
    this.#browser = browser;
  }

  /**
   * Signs a new user in, and puts their workspace on the largest plan.
   * @param userName unique among all tests that share the service
   */
  static async create(userName: string): Promise<OwnWorkspace> {
    const service = sharedService();
    const browser = await signIn(service, userName);
    const { id } = await readStrictly(callDeveloper(service, browser, "GET", "/workspace"), 200, Workspace);
    // Tests make more requests a minute than the plan allows.
    await setPlan(service, id, { plan: "business", requestsPerMinute: 100_000 });
    const input = { name: "Test", type: "secret" };
    const created = callDeveloper(service, browser, "POST", "/keys", input);
    const { key } = await readStrictly(created, 201, NewApiKey);
    return new OwnWorkspace(id, service.withKey(key), browser);
  }

  /** The cookies of the owner's session, for a context of Chromium. */
  get cookies() {
    return this.#browser.cookiesAt(this.service.origin);
  }

  /** Calls a developer endpoint with the owner's session. */
  callDeveloper(method: string, path: string, body?: unknown): Promise<Response> {
    return callDeveloper(this.service, this.#browser, method, path, body);
  }

  /** Submits a form of the dashboard in the owner's session. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const { origin, dashboard } = this.service;
    const body = new URLSearchParams(fields);
    return this.#browser.fetch(`${dashboard}${path}`, { method: "POST", headers: { origin }, body });
  }

  /** Changes the plan through the operator's endpoint. */
  setPlan(change: PlanInput): Promise<PlanChange> {
    return setPlan(this.service, this.id, change);
  }

  /** Suspends the workspace through the operator's endpoint. */
  async suspend(reason: string): Promise<void> {
    await callOperator(this.service, "PUT", `/workspaces/${this.id}/suspension`, { reason });
  }
}

const setPlan = async (
  service: RunningService,
  workspaceId: string,
  change: PlanInput,
): Promise<PlanChange> =>
  PlanChange.parse(await callOperator(service, "PUT", `/workspaces/${workspaceId}/plan`, change));

/** Returns the operator's secret of the shared service. */
export async function operatorSecret(): Promise<string> {
  const { OPERATOR_SECRET = "" } = parseEnv(await readFile(".dev.vars", "utf8"));
  return OPERATOR_SECRET;
}

/** Calls an endpoint of the operator, which must succeed. */
export async function callOperator(
  service: RunningService,
  method: "POST" | "PUT",
  path: string,
  body: object,
): Promise<unknown> {
  const response = await fetch(`${service.origin}/api/v1/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${await operatorSecret()}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(method === "POST" ? 201 : 200);
  return response.json();
}
