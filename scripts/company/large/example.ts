import { withCatalogue } from "../../lib/catalogue.ts";
import { fullSizes, largeName } from "./contents.ts";
import { LargeStage } from "./fill.ts";
import { changeCopy } from "./storage.ts";

interface Place {
  /** The data folder, which no service may be running on. */
  readonly state: string;
  readonly origin: string;
  readonly issuer: string;
  readonly secrets: NodeJS.Dict<string>;
}

/** Adds the large workspace to a data folder: all of it, or nothing if it is interrupted. @param say told how far it is */
export async function addLarge(
  { state, secrets, origin, issuer }: Place,
  say: (line: string) => void,
): Promise<void> {
  const given = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const setting = { sizes: fullSizes, now: Date.now(), origin, issuer, subject: largeName, say };
  await changeCopy(state, async (storage) => {
    const stage = await LargeStage.set({ ...setting, variables: Object.fromEntries(given), storage });
    await stage[Symbol.asyncDispose]();
  });
  await withCatalogue(state, (db) =>
    db
      .prepare("DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE subject = ?)")
      .bind(largeName)
      .run(),
  );
}
