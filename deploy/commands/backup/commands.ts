/** The commands `assay backup` and `assay restore`. */
import type { Command } from 'commander'
import type { Config } from '../../../platform/config/config.ts'
import { optionError } from '../options.ts'

/** Adds the commands. */
export const backupCommands = (program: Command, configured: () => Config, version: string): void => {
  program
    .command('backup')
    .description('copy the data folder of a stopped service: store, bus and keys')
    .option('--to <folder>', 'where the copy goes; a folder that does not exist')
    .option('--check', 'ask instead whether this is a moment for a backup of a ClickHouse server')
    .option('--json', 'print JSON')
    .action(async ({ to, check = false, json = false }: { to?: string; check?: boolean; json?: boolean }) => {
      if (check === (to !== undefined)) throw optionError('One of --to and --check is needed.')
      const { backupCommand, checkBackupCommand } = await import('./run.ts')
      if (to === undefined) await checkBackupCommand(configured(), { json })
      else await backupCommand(configured(), { to, version, json })
    })
  program
    .command('restore')
    .description('fill an empty data folder from a backup, after comparing every file with its hash')
    .requiredOption('--from <folder>', 'the backup')
    .option('--json', 'print JSON')
    .action(async ({ from, json = false }: { from: string; json?: boolean }) => {
      const { restoreCommand } = await import('./run.ts')
      await restoreCommand(configured(), { from, json })
    })
}
