import { BackupFolder } from "./backup/folder.ts";
import { run } from "./backup/main.ts";
import { parseRestoreOptions, restoreUsage } from "./backup/options.ts";
import { finishRestoring, restoreBackup } from "./backup/put.ts";
import { withAccess } from "./backup/reach.ts";

process.exit(
  await run(async (means) => {
    const options = parseRestoreOptions(process.argv.slice(2), process.env);
    if (options === null) return means.say(restoreUsage);
    const folder = new BackupFolder(options.folder);
    await withAccess(options.place, means, (world) =>
      options.finish ? finishRestoring(folder, world) : restoreBackup(folder, world),
    );
  }),
);
