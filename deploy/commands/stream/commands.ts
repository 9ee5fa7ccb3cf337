/** The commands on the stream of blocks: `assay replay` and what repairs tables. docs/operate/operating-the-stream.md explains them. */
import type { Command } from 'commander'
import type { Config } from '../../../platform/config/config.ts'
import { networkOption, optionError } from '../options.ts'
import { countOption, rangeOption } from './options.ts'

const NETWORK = ['--network <network>', 'whose data'] as const

const replayCommands = (program: Command, configured: () => Config) => {
  program
    .command('replay')
    .description('score wallets again: all with a record, those of a list, or those of dead letters')
    .requiredOption(...NETWORK)
    .option('--addresses <file>', 'one address a line; - is standard input')
    .option('--after <address>', 'begin behind this address, as an interrupted run printed it')
    .option('--dead-letters', 'give what the scorer could not read back to its topic')
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
    .description('make the aggregates of a network again from its base tables, beside those in use, and exchange them')
    .requiredOption(...NETWORK)
    .option('--base', 'make all tables of the network again from the bus, also the base tables')
    .option('--prepare', 'with --base: fill the new tables and compare them, and leave those in use as they are')
    .option('--json', 'print the result as JSON, and progress to standard error')
    .action(async (options: { network: string; base?: boolean; prepare?: boolean; json?: boolean }) => {
      const network = networkOption(options.network)
      const { base = false, prepare = false, json = false } = options
      if (prepare && !base) throw optionError('--prepare fills new tables from the bus, so it needs --base.')
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
    .option('--from <block>', 'first block (default: the first that is stored)')
    .option('--to <block>', 'last block (default: the last that is final)')
    .option('--sample <count>', 'compare about so many blocks with the chain, instead of all')
    .option('--fix', 'take blocks that differ from the chain again, and make the aggregates again')
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
    .description('index a range of final blocks beside a running indexer, also from before the first block it covers')
    .requiredOption(...NETWORK)
    .requiredOption('--from <block>', 'first block')
    .requiredOption('--to <block>', 'last block')
    .option('--again', 'publish blocks that are stored too, for topics that no longer hold them')
    .option('--json', 'print the result as JSON, and progress to standard error')
    .action(async (options: { network: string; from: string; to: string; again?: boolean; json?: boolean }) => {
      const { again = false, json = false } = options
      const network = networkOption(options.network)
      const range = rangeOption(options)
      const { backfillCommand } = await import('./backfill.ts')
      if (range) await backfillCommand(configured(), { network, range, stored: again, json })
    })
}

/** Adds the commands on the stream. */
export const streamCommands = (program: Command, configured: () => Config): void => {
  replayCommands(program, configured)
  reindexCommands(program, configured)
  verifyCommands(program, configured)
  backfillCommands(program, configured)
}
