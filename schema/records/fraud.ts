import { z } from 'zod'
import {
  chain,
  checkedTimes,
  createdAt,
  forensicDetails,
  lastChecked,
  probabilityText,
  sanctionData,
  successMessage,
  timestamp,
  token,
  walletAddress,
  walletStatus,
} from './common.ts'

/** Answer of POST /fraud/check. */
export const fraudRecord = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    status: walletStatus,
    probabilityFraud: probabilityText,
    token,
    lastChecked,
    forensic_details: forensicDetails,
    checked_times: checkedTimes,
    sanctionData,
    createdAt,
    updatedAt: timestamp.nullable().meta({ description: 'Last profile update', example: '2026-05-04T12:00:00.000Z' }),
  })
  .meta({ id: 'WalletFraudRecord', description: 'Fraud probability and forensic flags of a wallet' })

/** The stored body of a fraud record, without fields that differ between answers. The API puts these before the stored bytes. */
export const fraudBody = fraudRecord.omit({ walletAddress: true, checked_times: true, updatedAt: true })
/** The stored part of a fraud record; requested address, count and time of change are added to each answer. */
export type FraudBody = z.output<typeof fraudBody>
