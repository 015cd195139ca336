import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPublicIssuer } from "../../../scripts/lib/installation/public-issuers.ts";
import { refuse } from "../../e2e/support/installation/cloudflare-answers.ts";
import { discovery, withProvider } from "../../e2e/support/installation/identity-provider.ts";
import {
  bindingOf,
  clearLines,
  cloudflare,
  failure,
  folder,
  install,
  installed,
  said,
  useAccount,
  written,
} from "../../e2e/support/installation/setup.ts";

useAccount();

const issuer = "https://id.example.com";
const withIssuer = (url = issuer) => [
  "--yes",
  "--wait",
  "0",
  "--oidc-issuer",
  url,
  "--oidc-client-id",
  "codes",
];

/** Adds a passkey to the installed service. */
function addPasskey(): void {
  const [database] = cloudflare.databases.values();
  database?.sqlite.exec(`INSERT INTO users (id, issuer, subject, created_at) VALUES ('ada', 'passkey', 'ada', 0);
    INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES ('p', 'ada', 'c', 'k', 0, '[]', 'Phone', 0)`);
}

describe("npm run setup with an identity provider", () => {
  it("keeps passkeys on for people who have them, and shows every setting that it changes", async () => {
    await installed();
    addPasskey();
    await install(withIssuer());
    for (const line of [`OIDC_ISSUER = "${issuer}"`, 'OIDC_CLIENT_ID = "codes"', 'PASSKEYS = "on"']) {
      expect(said()).toContain(`  set     ${line}\n`);
    }
    expect(said()).not.toContain("set     SCAN_ORIGIN");
    expect(bindingOf("PASSKEYS")?.text).toBe("on");
    expect(await written("qr.toml")).toContain('PASSKEYS = "on"');
    clearLines();
    await install(["--yes", "--wait", "0"]);
    expect(said()).not.toContain("  set  ");
    expect(bindingOf("PASSKEYS")?.text).toBe("on");
    await install([...withIssuer("https://id.example.com"), "--scan-domain", "qr.example.com"]);
    expect(bindingOf("PASSKEYS")?.text).toBe("on");
  });

  it("leaves passkeys as they are set, and off where nobody has one", async () => {
    await installed();
    addPasskey();
    await writeFile(join(folder, "installations/qr.toml"), `${await written("qr.toml")}PASSKEYS = "off"\n`);
    await install(withIssuer());
    expect(bindingOf("PASSKEYS")?.text).toBe("off");
  });

  it("leaves passkeys off where the deployed service has them off, and later", async () => {
    await installed();
    addPasskey();
    const file = await written("qr.toml");
    await writeFile(join(folder, "installations/qr.toml"), `${file}PASSKEYS = "off"\n`);
    await install(["--yes", "--wait", "0"]);
    await writeFile(join(folder, "installations/qr.toml"), file);
    await install(withIssuer());
    expect(bindingOf("PASSKEYS")?.text).toBe("");
    await install(["--yes", "--wait", "0"]);
    expect(bindingOf("PASSKEYS")?.text).toBe("");
  });

  it("keeps passkeys on where it can't read whether people have them", async () => {
    await installed();
    // The schema is read before the zones.
    let isProbed = false;
    cloudflare.intercept = (line) => {
      isProbed ||= line === "GET /zones";
      return isProbed && line.endsWith("/query") ? refuse(403, 10_000, "Authentication error") : undefined;
    };
    await install([...withIssuer(), "--dry-run"]);
    expect(said()).toContain('  set     PASSKEYS = "on"\n');
  });

  it("says what a setting was", async () => {
    await installed();
    await install(withIssuer());
    expect(bindingOf("PASSKEYS")?.text).toBe("");
    clearLines();
    const other = { ...discovery, issuer: "https://other.example.com" };
    await install([...withIssuer("https://other.example.com"), "--dry-run"], {
      fetch: withProvider(cloudflare.fetch, other),
    });
    expect(said()).toContain(`  set     OIDC_ISSUER = "https://other.example.com", was "${issuer}"\n`);
  });

  it.each([
    [null, "id.example.com doesn't answer"],
    [new Response(null, { status: 404 }), "it answered 404"],
    [new Response(null, { status: 302, headers: { location: "https://evil.example/" } }), "it answered 302"],
    ["<html>", "it isn't JSON"],
    [{ ...discovery, token_endpoint: undefined }, "it has no token_endpoint"],
    [
      { ...discovery, issuer: "https://evil.example" },
      "calls itself https://evil.example, not https://id.example.com",
    ],
    [{ ...discovery, issuer: "id" }, "its issuer isn't an address"],
    [{ ...discovery, jwks_uri: "http://id.example.com/jwks" }, "jwks_uri must begin with https://"],
    [
      { ...discovery, authorization_endpoint: "/authorize" },
      "authorization_endpoint must begin with https://",
    ],
    [{ ...discovery, response_types_supported: ["id_token"] }, 'doesn\'t offer the response type "code"'],
  ])("changes nothing if the provider's configuration is %j", async (configuration, problem) => {
    const args = [...withIssuer(), "--scan-domain", "qr.example.com", "--app-domain", "app.example.com"];
    expect(await failure(args, { fetch: withProvider(cloudflare.fetch, configuration) })).toContain(problem);
    expect(cloudflare.writes).toEqual([]);
  });

  it("refuses a provider where everybody can get an account, unless it is told to accept it", async () => {
    await installed();
    const google = "https://accounts.google.com";
    const network = withProvider(cloudflare.fetch, { ...discovery, issuer: google });
    const refused = await failure(withIssuer(google), { fetch: network });
    expect(refused).toContain(`Everybody can get an account at ${google}`);
    expect(refused).toContain("on the plan business");
    expect(bindingOf("OIDC_ISSUER")?.text).toBe("");
    clearLines();
    await install([...withIssuer(google), "--public-issuer"], { fetch: network });
    expect(said()).toContain(`Warning: everybody can get an account at ${google}`);
    expect(bindingOf("OIDC_ISSUER")?.text).toBe(google);
    // It was told once, and the provider isn't asked again.
    await install(["--yes", "--wait", "0"], { fetch: withProvider(cloudflare.fetch, null) });
  });
});

it.each([
  ["https://accounts.google.com", true],
  ["https://ACCOUNTS.google.com./", true],
  ["https://login.microsoftonline.com/common/v2.0", true],
  ["https://login.microsoftonline.com/organizations/v2.0", true],
  ["https://login.microsoftonline.com/Consumers/v2.0", true],
  ["https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", true],
  ["https://appleid.apple.com", true],
  ["https://gitlab.com", true],
  ["https://www.facebook.com", true],
  ["https://login.microsoftonline.com/5b1b0d1a-0000-4000-8000-000000000000/v2.0", false],
  ["https://gitlab.example.com", false],
  ["https://accounts.google.com.example.com", false],
  ["", false],
])("the issuer %s lets everybody in: %s", (url, isPublic) => {
  expect(isPublicIssuer(url)).toBe(isPublic);
});
