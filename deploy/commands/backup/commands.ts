/** The commands `assay backup` and `assay restore`. */
import type { Command } from 'commander'
import type { Config } from '../../../platform/config/config.ts'
import { optionError } from '../options.ts'

/** Adds the commands. */
export const backupCommands = (program: Command, configured: () => Config, version: string): void => {
  program
    .command('backup')
    .description('copy the data folder of a stopped service: store, bus and keys')
    .option('--to <folder>', 'target folder; must not exist')
    .option('--check', 'only check whether a ClickHouse server can be backed up now')
    .option('--json', 'print JSON')
    .action(async ({ to, check = false, json = false }: { to?: string; check?: boolean; json?: boolean }) => {
      if (check === (to !== undefined)) throw optionError('Either --to or --check is required.')
      const { backupCommand, checkBackupCommand } = await import('./run.ts')
      if (to === undefined) await checkBackupCommand(configured(), { json })
      else await backupCommand(configured(), { to, version, json })
    })
  program
    .command('restore')
    .description('restore a backup into an empty data folder, after verifying the hash of every file')
    .requiredOption('--from <folder>', 'folder of the backup')
    .option('--json', 'print JSON')
    .action(async ({ from, json = false }: { from: string; json?: boolean }) => {
      const { restoreCommand } = await import('./run.ts')
      await restoreCommand(configured(), { from, json })
    })
}
