import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  bindingOf,
  cloudflare,
  domains,
  expectInstalled,
  failure,
  folder,
  install,
  said,
  useAccount,
} from "../support/installation/setup.ts";

useAccount();

describe("npm run setup", () => {
  it("installs everything without a question, and proves it by a scan", async () => {
    await install();
    await expectInstalled();
    expect(said()).toContain("was created, scanned, counted and deleted");
    expect(said()).toContain("https://app.example.com/dashboard/links/once");
    expect(bindingOf("DEFAULT_PLAN")?.text).toBe("business");
    expect(said()).toContain("business plan for people with your one-time link. Members invite");
    expect(said().split("\n").length).toBeLessThan(43);
  });

  it("shows what it would do, with --dry-run", async () => {
    await install([...domains, "--dry-run"]);
    expect(said()).toContain("create  D1 database qr-catalogue");
    expect(cloudflare.writes).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("changes nothing if the answer is no", async () => {
    expect(await failure([], { ask: async (question) => (question.startsWith("Continue") ? "n" : "") })).toBe(
      "Nothing is changed.",
    );
    expect(cloudflare.writes).toEqual([]);
  });
});
