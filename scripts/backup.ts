import { BackupFolder } from "./backup/folder.ts";
import { run } from "./backup/main.ts";
import { backupUsage, parseBackupOptions } from "./backup/options.ts";
import { withAccess } from "./backup/reach.ts";
import { takeBackup } from "./backup/take.ts";
import { verifyBackup } from "./backup/verify.ts";

process.exit(
  await run(async (means) => {
    const options = parseBackupOptions(process.argv.slice(2), process.env);
    if (options === null) return means.say(backupUsage);
    const folder = new BackupFolder(options.folder);
    if (options.command === "take") {
      await withAccess(options.place, means, async (world) => {
        const { completedAt, about } = await takeBackup(folder, world);
        means.say(`\nThe backup in ${folder.path} is complete, as of ${completedAt}.\n${about}`);
      });
    } else await verifyBackup(folder, means.say);
  }),
);
