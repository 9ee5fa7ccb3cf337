/** The commands on the stream of blocks: `assay replay` and what repairs tables. docs/operating-the-stream.md explains them. */
import type { Command } from 'commander'
import type { Config } from '../../platform/config.ts'
import { networkOption } from './options.ts'

const NETWORK = ['--network <network>', 'whose data'] as const

const replayCommands = (program: Command, configured: () => Config) => {
  program
    .command('replay')
    .description('score wallets again: all with a record, those of a list, or those of dead letters')
    .requiredOption(...NETWORK)
    .option('--addresses <file>', 'one address a line; - is standard input')
    .option('--after <address>', 'begin behind this address, as an interrupted run printed it')
    .option('--dead-letters', 'give what the scorer could not read back to its topic')
    .action(async (options: { network: string; addresses?: string; after?: string; deadLetters?: boolean }) => {
      const network = networkOption(options.network)
      const { addresses, after, deadLetters = false } = options
      const { replayCommand } = await import('../tools/replay.ts')
      await replayCommand(configured(), { network, addresses, after, deadLetters })
    })
}

const reindexCommands = (program: Command, configured: () => Config) => {
  program
    .command('reindex')
    .description('make the aggregates of a network again from its base tables, beside those in use, and exchange them')
    .requiredOption(...NETWORK)
    .action(async (options: { network: string }) => {
      const network = networkOption(options.network)
      const { reindexCommand } = await import('../tools/reindex.ts')
      await reindexCommand(configured(), { network })
    })
}

/** Adds the commands on the stream. */
export const streamCommands = (program: Command, configured: () => Config): void => {
  replayCommands(program, configured)
  reindexCommands(program, configured)
}
