import { vi } from "vitest";

/** Runs `work`. @returns the longest text that was parsed as JSON meanwhile, in characters */
export async function longestParsed(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, "parse");
  try {
    await work();
    return Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
  } finally {
    parse.mockRestore();
  }
}
