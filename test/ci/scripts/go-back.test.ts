import { describe, expect, it } from "vitest";
import { requireRelease } from "../../../scripts/lib/release.ts";
import {
  cloudflare,
  deploy,
  goBackTo,
  installed,
  messageOf,
  noon,
  said,
  useAccount,
} from "../../e2e/support/installation/setup.ts";

useAccount();

const execute = (sql: string) => {
  for (const { sqlite } of cloudflare.databases.values()) sqlite.exec(sql);
};
const all = (sql: string) =>
  [...cloudflare.databases.values()].flatMap(({ sqlite }) =>
    sqlite
      .prepare(sql)
      .all()
      .map((row) => ({ ...row })),
  );

/** Two members, one of them a viewer, with sessions; an expired key and one that expires; deletions. */
const newer = `
  INSERT INTO workspaces (id, name, plan, created_at, deletion_due_at) VALUES ('w', 'Harbour', 'pro', 1, ${noon + 1});
  INSERT INTO users (id, issuer, subject, name, created_at) VALUES ('owner', 'i', '1', 'Ana', 1), ('viewer', 'i', '2', 'Rui', 1);
  INSERT INTO members (user_id, workspace_id, created_at, role) VALUES ('owner', 'w', 1, 'owner'), ('viewer', 'w', 1, 'viewer');
  INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ('one', 'owner', 1, ${noon + 1}), ('two', 'viewer', 1, ${noon + 1});
  INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at, expires_at)
    VALUES ('old', 'w', 'Old', 'secret', '[]', '[]', 'a', 'sk_live_', '0000', 1, ${noon}),
           ('new', 'w', 'New', 'secret', '[]', '[]', 'b', 'sk_live_', '0000', 1, ${noon + 1});
  INSERT INTO folders (id, workspace_id, name, created_at, deleted_at) VALUES ('f', 'w', 'Gone', 1, 1);`;

const list = `
Version 1.0.0 doesn't know what is newer:
  ! 1 member who isn't an owner has all rights of one, also after signing in again: remove those who must not have them
  ! 1 key that has expired works again
  ! 1 key doesn't expire at its time
  ! 1 deleted folder is shown again, without codes
  ! The deletion of 1 workspace stops, and members can use what is left of it
The changelog lists under "Going back" what else it can't do.
`;

const sessions = () => all("SELECT id FROM sessions ORDER BY id").map(({ id }) => id);
const working = () =>
  all("SELECT id FROM api_keys WHERE revoked_at IS NULL AND id IN ('old', 'new') ORDER BY id").map(
    ({ id }) => id,
  );
const uploads = () => cloudflare.writes.filter((line) => /^PUT .*\/scripts\/[^/]+$/.test(line)).length;

describe("npm run deploy -- --to", () => {
  it("opens every ledger, lists what the release ignores, and changes nothing without a terminal", async () => {
    await installed("--no-edge");
    execute(newer);
    const before = uploads();
    expect(await messageOf(goBackTo("1.0.0"))).toBe(
      "Nothing is changed yet. To go back, add --yes. That also ends the sessions of these members and revokes these keys.",
    );
    expect(said()).toBe(`  ✓ 23 ledgers opened, so that version 1.0.0 can open them\n${list}`);
    expect([sessions(), working(), uploads()]).toEqual([["one", "two"], ["new", "old"], before]);
  });

  it("with --yes ends what would be a danger, deploys both Workers, and says how to come back", async () => {
    await installed("--no-edge");
    execute(newer);
    const before = uploads();
    await goBackTo("1.0.0", { yes: true });
    expect(said()).toBe(`  ✓ 23 ledgers opened, so that version 1.0.0 can open them
${list}
  ✓ Sessions ended and keys revoked
  ✓ Worker qr-code-images deployed
  ✓ Worker qr-code-management-service deployed
  ✓ https://app.example.com answers with version 1.0.0

Version 1.0.0 runs on the migrated database. To come back to this one: npm run deploy`);
    expect([sessions(), working(), uploads()]).toEqual([["one"], ["new"], before + 2]);
    expect(all("SELECT signed_out_at FROM users WHERE id = 'viewer'")).toEqual([{ signed_out_at: noon }]);
    expect(all("SELECT revocation_pending_at FROM api_keys WHERE id = 'old'")).toEqual([
      { revocation_pending_at: noon },
    ]);
    await deploy();
  });

  it("asks at a terminal, and takes no for an answer", async () => {
    await installed("--no-edge");
    execute(newer);
    const before = uploads();
    const questions: string[] = [];
    const ask = (answers: string[]) => async (question: string) => {
      questions.push(question);
      return answers.shift() ?? "";
    };
    expect(await messageOf(goBackTo("1.0.0", {}, { ask: ask(["no", "no"]) }))).toBe("Not gone back.");
    expect(questions).toEqual([
      "End the sessions of these members, and revoke these keys? [y/N] ",
      "Go back to version 1.0.0? [y/N] ",
    ]);
    expect([sessions(), uploads()]).toEqual([["one", "two"], before]);
    await goBackTo("1.0.0", {}, { ask: ask(["n", "y"]) });
    expect([sessions(), uploads()]).toEqual([["one", "two"], before + 2]);
  });

  it("goes back only once every ledger could be opened", async () => {
    await installed("--no-edge");
    const before = uploads();
    cloudflare.hasFailingLedger = true;
    expect(await messageOf(goBackTo("1.0.0", { yes: true }))).toContain(
      "The ledgers of 1 workspace did not answer",
    );
    cloudflare.hasFailingLedger = false;
    const env = { OPERATOR_SECRET: "another" };
    expect(await messageOf(goBackTo("1.0.0", { yes: true }, { env }))).toContain("answered 4");
    expect(uploads()).toBe(before);
  });

  it("knows the releases by the changelog", () => {
    expect(requireRelease("1.0.0")).toMatch(/^1a02c9b2/);
    expect(() => requireRelease("0.9.0")).toThrow("There is no release 0.9.0. Choose one of 1.1.0, 1.0.0");
  });
});
