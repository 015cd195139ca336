import type { Command } from "./command.ts";
import { create, get, list, remove, set } from "./commands/codes.ts";
import { completion } from "./commands/completion.ts";
import { image, labels } from "./commands/drawings.ts";
import { history } from "./commands/history.ts";
import { login, logout, whoami } from "./commands/identity.ts";
import { job, undo } from "./commands/jobs.ts";
import { listen } from "./commands/listen.ts";
import {
  createFolder,
  deleteFolder,
  getDomain,
  listDomains,
  listFolders,
  listLists,
  renameFolder,
  restoreFolder,
} from "./commands/organisation.ts";
import { exportScans, listClosed, listScans, report, watchScans } from "./commands/scans.ts";
import { exportCodes, importCodes, relink } from "./commands/tables.ts";
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  rotateSecret,
  setWebhook,
  testWebhook,
} from "./commands/webhooks.ts";

/** Commands that belong together. */
interface Topic {
  /** For commands of one word; others say it with their second. */
  readonly about?: string;
  readonly commands: readonly Command[];
}

const topics: readonly Topic[] = [
  { about: "The address and the API key that are stored", commands: [login, logout, whoami] },
  { commands: [list, create, get, set, remove] },
  { about: "Codes as a table", commands: [exportCodes, importCodes, relink] },
  { about: "Draw a code, or print many", commands: [image, labels] },
  { commands: [listScans, listClosed, exportScans, watchScans] },
  { about: "How many scans, by how many people", commands: [report] },
  { about: "Changes, and bulk jobs", commands: [history, undo, job] },
  { commands: [listFolders, createFolder, renameFolder, deleteFolder, restoreFolder] },
  { commands: [listLists] },
  { commands: [listDomains, getDomain] },
  {
    commands: [
      ...[listWebhooks, createWebhook, setWebhook, deleteWebhook, rotateSecret, testWebhook],
      listDeliveries,
    ],
  },
  { about: "Deliveries of a webhook to this machine", commands: [listen] },
  { about: "For bash, zsh or fish", commands: [completion(() => commands)] },
];

/** All commands: help and completion follow from these. */
export const commands: readonly Command[] = topics.flatMap((topic) => topic.commands);

/** A line for each topic: commands of one word as they are, or else the word that they share. */
const lines = topics.map(({ about, commands: own }) => {
  const names = own.map(({ name }) => name.split(" "));
  const [[first = "", second] = []] = names;
  const [left, right] =
    second === undefined ? [names.flat(), [about]] : [[first], names.map(([, word]) => word)];
  return { left: left.join(", "), right: right.join(", ") };
});
const width = Math.max(...lines.map(({ left }) => left.length));

/** What `qr --help` prints. */
export const help = `Usage: qr COMMAND [OPTIONS]

${lines.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}\n`).join("")}
  qr COMMAND --help explains a command. --json prints results for programs.
  QR_URL and QR_KEY in the environment win over what login stored.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not allowed, 4 not found,
5 some rows failed, 130 interrupted
`;
