import { BackupFolder } from "./backup/folder.ts";
import { run } from "./backup/main.ts";
import { backupUsage, parseBackupOptions } from "./backup/options.ts";
import { stay } from "./backup/put.ts";
import { withAccess } from "./backup/reach.ts";
import { takeBackup } from "./backup/take.ts";
import { verifyBackup } from "./backup/verify.ts";

process.exit(
  await run(async (means) => {
    const options = parseBackupOptions(process.argv.slice(2), process.env);
    if (options === null) return means.say(backupUsage);
    const folder = new BackupFolder(options.folder);
    if (options.command === "verify") return void (await verifyBackup(folder, means.say));
    await withAccess(options.place, means, async (world) => {
      if (options.command === "stay") return stay(folder, world);
      const { completedAt, about } = await takeBackup(folder, world, options.command === "move");
      means.say(`\nThe backup in ${folder.path} is complete, as of ${completedAt}.\n${about}`);
    });
  }),
);
