/** Messages of topic `served`: numbers of answers per address, in batches, for `checked_times`. */
import { z } from 'zod'
import { NETWORK_CODES } from '../../networks.ts'

/** One batch of one API process. `batch` is unique, so that a batch delivered twice is counted once. */
export const servedBatch = z.object({
  batch: z.string(),
  counts: z.array(
    z.object({
      network: z.enum(NETWORK_CODES),
      /** Canonical text. */
      address: z.string(),
      kind: z.enum(['wallet', 'contract']),
      count: z.int().min(1),
      /** Unix seconds of the last answer. */
      last: z.int(),
    }),
  ),
})
/** Counts of one API process since its last batch. */
export type ServedBatch = z.output<typeof servedBatch>
