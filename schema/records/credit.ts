import { z } from 'zod'
import { successMessage, walletAddress } from './common.ts'

const riskRating = z
  .int()
  .min(1)
  .max(9)
  .meta({ description: 'Trust: 8-9 high, 6-7 above average, 4-5 average, 2-3 below average, 1 low', example: 7 })

/** Answer of POST /users/credit-score. */
export const creditRecord = z
  .object({
    message: successMessage,
    creditData: z.object({ walletAddress, riskRating }).meta({ description: 'The rating and the rated wallet' }),
  })
  .meta({ id: 'CreditScoreRecord', description: 'Trust score of a wallet' })

/** The stored part of the record. */
export const creditBody = z.object({ riskRating })
