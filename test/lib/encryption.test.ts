import { expect, it } from "vitest";
import {
  decryptClaims,
  decryptText,
  encryptClaims,
  encryptText,
  isOfNewest,
} from "../../src/lib/crypto/encryption.ts";
import { readKeyring } from "../../src/lib/crypto/keyring.ts";
import { keyring } from "../support/settings.ts";

const secret = keyring("secret");
const other = keyring("other");
const now = Date.UTC(2026, 0, 1);

it("text can be decrypted with its secret only, and two encryptions of it differ", async () => {
  const one = await encryptText(secret, "whsec_ü🍕");
  expect(await decryptText(secret, one)).toBe("whsec_ü🍕");
  expect(await encryptText(secret, "whsec_ü🍕")).not.toBe(one);
  await expect(decryptText(other, one)).rejects.toThrow();
  const parts = one.split(".");
  for (const [i, part] of parts.entries()) {
    const tampered = parts.with(i, part.startsWith("A") ? `B${part.slice(1)}` : `A${part.slice(1)}`);
    await expect(decryptText(secret, tampered.join("."))).rejects.toThrow();
  }
});

it("claims can be decrypted with their secret, for their audience and until they expire", async () => {
  const token = await encryptClaims(secret, "session", { sub: "ada" }, now, now + 60_000);
  expect(token).not.toContain("ada");
  expect(await decryptClaims(secret, "session", token, now)).toMatchObject({ sub: "ada", aud: "session" });
  expect(await decryptClaims(other, "session", token, now)).toBeNull();
  expect(await decryptClaims(secret, "sign-in", token, now)).toBeNull();
  expect(await decryptClaims(secret, "session", token, now + 60_000)).toBeNull();
  // Text encrypted with the same secret is not a set of claims.
  expect(await decryptClaims(secret, "session", await encryptText(secret, "{}"), now)).toBeNull();
});

it("what a previous secret encrypted can be decrypted until that secret is removed", async () => {
  const rotating = keyring("next", "secret");
  const old = await encryptText(secret, "whsec");
  expect(await decryptText(rotating, old)).toBe("whsec");
  const fresh = await encryptText(rotating, "whsec");
  await expect(decryptText(secret, fresh)).rejects.toThrow();
  await expect(decryptText(rotating.slice(0, 1), old)).rejects.toThrow();
  expect([await isOfNewest(rotating, old), await isOfNewest(rotating, fresh)]).toEqual([false, true]);
  const token = await encryptClaims(secret, "session", { sub: "ada" }, now, now + 60_000);
  expect(await decryptClaims(rotating, "session", token, now)).toMatchObject({ sub: "ada" });
  expect(await decryptClaims(rotating.slice(0, 1), "session", token, now)).toBeNull();
});

it("a keyring has the secrets of one name, newest first, except for those that are none", () => {
  const values = {
    SECRET: "first",
    SECRET_2: "second",
    SECRET_10: "tenth",
    SECRET_3: "none",
    SECRET_02: "x",
    SECRET_1: "x",
    SECRET_NEXT: "x",
    OTHER_SECRET: "x",
    SECRETS: "x",
    SECRET_4: { not: "text" },
  };
  expect(readKeyring(values, "SECRET")).toEqual([
    { id: 10, secret: "tenth" },
    { id: 2, secret: "second" },
    { id: 1, secret: "first" },
  ]);
  expect(readKeyring({}, "SECRET")).toEqual([]);
});
