import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { buildDeps } from "../../src/composition.ts";

const set = {
  CUSTOM_HOSTNAMES_ZONE: "023e105f4ecef8ad9ca31a8372d0c353",
  CUSTOM_HOSTNAMES_TARGET: "Hosts.Example.net",
  CUSTOM_HOSTNAMES_TOKEN: "a-token",
};

const settingsOf = (variables: object) => buildDeps({ ...env, ...variables }).settings.customHostnames;

describe("custom hostnames", () => {
  it("are set up by a zone, a target and a token, with a maximum", () => {
    const configured = {
      zoneId: set.CUSTOM_HOSTNAMES_ZONE,
      token: set.CUSTOM_HOSTNAMES_TOKEN,
      target: "hosts.example.net",
    };
    expect(settingsOf(set)).toEqual({ ...configured, max: 100 });
    expect(settingsOf({ ...set, MAX_CUSTOM_HOSTNAMES: "2000" })).toEqual({ ...configured, max: 2000 });
    expect(settingsOf({ ...set, MAX_CUSTOM_HOSTNAMES: "many" })).toEqual({ ...configured, max: 100 });
  });

  it.each(Object.keys(set))("aren't set up without %s", (name) => {
    expect(settingsOf({ ...set, [name]: "" })).toBeNull();
    expect(settingsOf({ ...set, CUSTOM_HOSTNAMES_TOKEN: "none" })).toBeNull();
  });

  it("aren't set up by default", () => {
    expect(settingsOf({})).toBeNull();
  });
});
