/** Commands on the block stream: `assay replay`, `reindex`, `verify` and `backfill`. See docs/operate/operating-the-stream.md. */
import type { Command } from 'commander'
import type { Config } from '../../../platform/config/config.ts'
import { networkOption, optionError } from '../options.ts'
import { countOption, rangeOption } from './options.ts'

const NETWORK = ['--network <network>', 'network to work on'] as const

const replayCommands = (program: Command, configured: () => Config) => {
  program
    .command('replay')
    .description('queue wallets for scoring: all with a record, those of a file, or those of dead letters')
    .requiredOption(...NETWORK)
    .option('--addresses <file>', 'file with one address per line; - is standard input')
    .option('--after <address>', 'start after this address, printed by an interrupted run')
    .option('--dead-letters', 'return messages that the scorer could not read to their topic')
    .option('--json', 'print the result as JSON, and progress to standard error')
    .action(
      async (options: {
        network: string
        addresses?: string
        after?: string
        deadLetters?: boolean
        json?: boolean
      }) => {
        const network = networkOption(options.network)
        const { addresses, after, deadLetters = false, json = false } = options
        const { replayCommand } = await import('./replay.ts')
        await replayCommand(configured(), { network, addresses, after, deadLetters, json })
      },
    )
}

const reindexCommands = (program: Command, configured: () => Config) => {
  program
    .command('reindex')
    .description('rebuild the aggregates of a network from its base tables, then replace those in use')
    .requiredOption(...NETWORK)
    .option('--base', 'rebuild all tables of the network from the bus, including base tables')
    .option('--prepare', 'with --base: fill and compare the new tables without replacing those in use')
    .option('--json', 'print the result as JSON, and progress to standard error')
    .action(async (options: { network: string; base?: boolean; prepare?: boolean; json?: boolean }) => {
      const network = networkOption(options.network)
      const { base = false, prepare = false, json = false } = options
      if (prepare && !base) throw optionError('--prepare fills new tables from the bus, so it requires --base.')
      const { reindexCommand } = await import('./reindex.ts')
      await reindexCommand(configured(), { network, base, prepare, json })
    })
}

type VerifyOptions = { network: string; from?: string; to?: string; sample?: string; fix?: boolean; json?: boolean }

const verifyCommands = (program: Command, configured: () => Config) => {
  program
    .command('verify')
    .description('compare stored blocks with the chain and aggregates with base tables; exit code 1 when they differ')
    .requiredOption(...NETWORK)
    .option('--from <block>', 'first block (default: the first stored)')
    .option('--to <block>', 'last block (default: the last final)')
    .option('--sample <count>', 'compare about this many blocks with the chain, instead of all')
    .option('--fix', 'fetch differing blocks from the chain again, and rebuild the aggregates')
    .option('--json', 'print the result as JSON, and progress to standard error')
    .action(async ({ sample, fix = false, json = false, ...options }: VerifyOptions) => {
      const network = networkOption(options.network)
      const range = rangeOption(options)
      const request = {
        network,
        range,
        fix,
        json,
        sample: sample === undefined ? undefined : countOption('--sample', sample),
      }
      const { verifyCommand } = await import('./verify.ts')
      await verifyCommand(configured(), request)
    })
}

const backfillCommands = (program: Command, configured: () => Config) => {
  program
    .command('backfill')
    .description('index a range of final blocks beside a running indexer, including blocks before its start')
    .requiredOption(...NETWORK)
    .requiredOption('--from <block>', 'first block')
    .requiredOption('--to <block>', 'last block')
    .option('--again', 'publish stored blocks too, for topics that no longer hold them')
    .option('--json', 'print the result as JSON, and progress to standard error')
    .action(async (options: { network: string; from: string; to: string; again?: boolean; json?: boolean }) => {
      const { again = false, json = false } = options
      const network = networkOption(options.network)
      const range = rangeOption(options)
      const { backfillCommand } = await import('./backfill.ts')
      if (range) await backfillCommand(configured(), { network, range, stored: again, json })
    })
}

/** Adds the commands on the block stream. */
export const streamCommands = (program: Command, configured: () => Config): void => {
  replayCommands(program, configured)
  reindexCommands(program, configured)
  verifyCommands(program, configured)
  backfillCommands(program, configured)
}
