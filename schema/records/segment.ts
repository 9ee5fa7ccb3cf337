import { z } from 'zod'
import { sanctionData, walletAddress } from './common.ts'
import { profileFields, recommendation } from './explained/profile.ts'

/** Answer of POST /segmentation/wallet-segment. */
export const segmentRecord = z
  .object({
    message: z
      .literal('Wallet segment retrieved')
      .meta({ description: 'Result status message', example: 'Wallet segment retrieved' }),
    walletAddress,
    walletQuality: z.int().min(0).max(100).meta({ description: 'Quality score', example: 78 }),
    ...profileFields,
    recommendation,
    sanctionData,
  })
  .meta({ id: 'WalletSegmentRecord', description: 'Quality segment and score of a wallet' })

/** The stored part of the record: without the address. */
export const segmentBody = segmentRecord.omit({ walletAddress: true })
/** The stored part of a segment record; fields that depend on the request are added to each answer. */
export type SegmentBody = z.output<typeof segmentBody>
