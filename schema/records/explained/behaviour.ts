import { z } from 'zod'
import { fraudRecord } from '../fraud.ts'
import { profileFields, recommendation } from './profile.ts'

/** Answer of POST /fraud/audit: the fraud record's fields and the wallet's profile. */
export const behaviourRecord = fraudRecord
  .extend({
    ...profileFields,
    riskCapability: z.int().meta({ description: 'Risk capability score of the wallet', example: 4 }),
    recommendation,
  })
  .meta({ id: 'WalletBehaviourRecord', description: 'Behavioural profile and predicted intent of a wallet' })

/** The stored part of the record, without fields that differ between answers. */
export const behaviourBody = behaviourRecord.omit({ walletAddress: true, checked_times: true, updatedAt: true })
/** The stored part of a behaviour record; fields that depend on the request are added to each answer. */
export type BehaviourBody = z.output<typeof behaviourBody>
