import { newId } from "../../src/lib/text/ids.ts";
import { storagePath, withCatalogue } from "../lib/catalogue.ts";
import { imagesWorker } from "../lib/images-worker.ts";
import { exampleName } from "./example-member.ts";
import { Stage } from "./stage.ts";

interface Place {
  /** The data folder, which no service may be running on. */
  readonly state: string;
  readonly origin: string;
  readonly issuer: string;
  readonly receiver: string;
  readonly secrets: NodeJS.Dict<string>;
}

/** Adds the example company to a data folder. Nobody can sign in to it before all of it is there. */
export async function addExample({ state, secrets, ...addresses }: Place): Promise<void> {
  const now = Date.now();
  const subject = `${exampleName} ${newId(now)}`;
  const given = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const variables = Object.fromEntries(given);
  const images = await imagesWorker();
  const stage = await Stage.set({
    now,
    subject,
    variables,
    images,
    storage: storagePath(state),
    ...addresses,
  });
  await stage[Symbol.asyncDispose]();
  await withCatalogue(state, (db) =>
    db.batch([
      db
        .prepare("DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE instr(subject, ?) = 1)")
        .bind(subject),
      db.prepare("UPDATE users SET subject = ? WHERE subject = ?").bind(exampleName, subject),
    ]),
  );
}
