import { beforeEach, describe, expect, it } from "vitest";
import {
  backUp,
  bindingOf,
  installed,
  messageOf,
  secretNames,
  useAccount,
} from "../../e2e/support/installation/setup.ts";

useAccount();
beforeEach(() => installed());

const secret = () => bindingOf("BACKUP_SECRET")?.text;

/** Answers as the service does, once it knows the secret after a number of requests. */
function service(unaware: number): typeof fetch {
  let asked = 0;
  return async (_, init) => {
    asked += 1;
    const knows = asked > unaware && secret() !== undefined;
    const isAllowed = knows && new Headers(init?.headers).get("authorization") === `Bearer ${secret()}`;
    return new Response(null, { status: isAllowed ? 200 : 404 });
  };
}

describe("access for a backup", () => {
  it("is by a secret that is stored while the command runs", async () => {
    const before = secretNames();
    const used: string[] = [];
    await backUp(async ({ appOrigin, backupSecret }) => {
      expect(secret()).toBe(backupSecret);
      used.push(appOrigin, backupSecret);
    }, service(3));
    expect(used).toEqual(["https://app.example.com", expect.stringMatching(/^[\w-]{43}$/)]);
    expect(secretNames()).toEqual(before);
  });

  it("ends when the command fails", async () => {
    const before = secretNames();
    const failing = async () => {
      throw new Error("interrupted");
    };
    expect(await messageOf(backUp(failing, service(0)))).toBe("interrupted");
    expect(secretNames()).toEqual(before);
  });

  it("ends if the service doesn't come to know the secret", async () => {
    const before = secretNames();
    expect(await messageOf(backUp(async () => {}, service(1000)))).toContain("Run the same command again.");
    expect(secretNames()).toEqual(before);
  });
});
