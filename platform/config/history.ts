/** How much history is indexed when no start block is given. It is a period, so the number of blocks differs by network. */
import { type Network, networkInfo } from '../../schema/networks.ts'
import type { Config } from './config.ts'

const HOUR_MS = 3_600_000

/**
 * Number of blocks behind the head where indexing starts: `ASSAY_HISTORY_BLOCKS` if set, else `ASSAY_HISTORY_HOURS` divided
 * by the network's block time.
 */
export const historyBlocksOf = (
  {
    ASSAY_HISTORY_BLOCKS: blocks,
    ASSAY_HISTORY_HOURS: hours,
  }: Pick<Config, 'ASSAY_HISTORY_BLOCKS' | 'ASSAY_HISTORY_HOURS'>,
  network: Network,
): number => blocks ?? Math.ceil((hours * HOUR_MS) / networkInfo(network).blockTimeMs)
