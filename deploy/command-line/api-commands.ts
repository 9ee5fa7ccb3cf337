/** Commands that call a running API: `assay status`, `assay watch` and `assay screen`. */
import type { Command } from 'commander'
import type { Config } from '../../platform/config/config.ts'
import { NETWORK_CODES } from '../../schema/networks.ts'
import type { ScreenOptions } from '../commands/ask/screen.ts'
import { networkOption } from '../commands/options.ts'
import { countOption } from '../commands/stream/options.ts'

const URL_OPTION = ['--url <url>', 'URL of the API (default: ASSAY_URL, else the API last started here)'] as const
const KEY_OPTION = ['--key <key>', 'API key; prefer ASSAY_KEY, which the process list does not show'] as const

const statusCommands = (program: Command, configured: () => Config) => {
  program
    .command('status')
    .description('show progress, rate and blockers of each network; exit code 2 while one is not ready')
    .option(...URL_OPTION)
    .option('--json', 'print JSON')
    .action(async (options: { url?: string; json?: boolean }) => {
      const { statusCommand } = await import('../commands/ask/status.ts')
      process.exitCode = await statusCommand(configured(), options)
    })
}

type WatchGiven = {
  url?: string
  key?: string
  network: string
  list?: string
  every: string
  once?: boolean
  json?: boolean
}

const watchCommands = (program: Command, configured: () => Config) => {
  program
    .command('watch [address]')
    .description('print a line whenever the verdict on an address changes, until Ctrl-C')
    .option('--list <file>', 'file with one address per line')
    .option('--network <network>', 'network of the addresses', NETWORK_CODES[0])
    .option('--every <seconds>', 'seconds between two rounds; each address counts as one call', '10')
    .option('--once', 'print the current verdicts and exit')
    .option('--json', 'print one JSON line per change')
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .action(async (address: string | undefined, given: WatchGiven) => {
      const options = {
        ...given,
        network: networkOption(given.network),
        every: countOption('--every', given.every),
      }
      const { watchCommand } = await import('../commands/ask/watch-command.ts')
      process.exitCode = await watchCommand(configured(), address, options)
    })
}

const screenCommands = (program: Command) => {
  program
    .command('screen <file>')
    .description('screen a list of addresses (.csv or .ndjson) and save the results; resumes an interrupted run')
    .option('--url <url>', 'URL of the API (default: ASSAY_URL)', process.env.ASSAY_URL)
    .option(...KEY_OPTION)
    .option('--operation <operation>', 'operation to run for each row', 'fraud_check')
    .option('--network <network>', 'network of rows without a network')
    .option('--output <file>', 'file for the results: .csv, .ndjson or .parquet (default: FILE.results.csv)')
    .option('--again', 'start a new job even if one exists for the same file')
    .action(async (file: string, options: Omit<ScreenOptions, 'url' | 'key'> & { url?: string; key?: string }) => {
      const { screenFile } = await import('../commands/ask/screen.ts')
      process.exitCode = await screenFile(file, {
        ...options,
        url: options.url,
        key: options.key ?? process.env.ASSAY_KEY,
      })
    })
}

/** Adds the commands that call an API. */
export const apiCommands = (program: Command, configured: () => Config): void => {
  statusCommands(program, configured)
  watchCommands(program, configured)
  screenCommands(program)
}
