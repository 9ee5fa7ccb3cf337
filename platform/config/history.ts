/** How much history is indexed where no start block is given: a length of time, which is another number of blocks on each network. */
import { type Network, networkInfo } from '../../schema/networks.ts'
import type { Config } from './config.ts'

const HOUR_MS = 3_600_000

/**
 * Blocks behind the head where indexing begins: `ASSAY_HISTORY_BLOCKS` where it is set, else those of `ASSAY_HISTORY_HOURS` at the
 * network's usual time between blocks.
 */
export const historyBlocksOf = (
  {
    ASSAY_HISTORY_BLOCKS: blocks,
    ASSAY_HISTORY_HOURS: hours,
  }: Pick<Config, 'ASSAY_HISTORY_BLOCKS' | 'ASSAY_HISTORY_HOURS'>,
  network: Network,
): number => blocks ?? Math.ceil((hours * HOUR_MS) / networkInfo(network).blockTimeMs)
