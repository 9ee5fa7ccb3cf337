/** The wire format of TRON's nodes: errors, limits and view calls. */
import { z } from 'zod'
import type { HttpApi } from '../../../platform/rpc/http-api.ts'
import type { Call, Outcome } from '../../../platform/rpc/post.ts'
import type { View } from '../tokens.ts'

const refused = z.looseObject({ Error: z.string() })
/** java-tron's own rate limit answers with status 200 and these words (`RateLimiterServlet`). */
const BUSY = /lack of computing resources|exceeds? the (request )?limit/i

/** The error in an answer of status 200, `undefined` if it is none. */
export const errorIn = (answer: unknown): string | undefined => {
  const found = refused.safeParse(answer)
  if (!found.success) return undefined
  const text = found.data.Error
  return BUSY.test(text) ? `rate limit: ${text}` : `internal error: ${text}`
}

/** TronGrid answers 403 or 503 instead of 429 above its limits, and then for 30 seconds. */
export const TRON_LIMITS = { limitedBy: [403, 503], limitPauseMs: 30_000, errorIn } satisfies HttpApi

const ZERO_ADDRESS = `41${'0'.repeat(40)}`
/** Signatures of the getters, by selector: nodes expect signatures. */
const SIGNATURES: Readonly<Record<string, string>> = {
  '0x06fdde03': 'name()',
  '0x95d89b41': 'symbol()',
  '0x313ce567': 'decimals()',
}

/** A view call. */
export const viewCall = ({ to, data }: View): Call => ({
  method: 'wallet/triggerconstantcontract',
  params: [
    {
      owner_address: ZERO_ADDRESS,
      contract_address: `41${to.slice(2)}`,
      function_selector: SIGNATURES[data] ?? '',
      parameter: '',
    },
  ],
})

const viewed = z.looseObject({ constant_result: z.array(z.string()).min(1) })

/** Result of a view as `0x` hex, `undefined` if the contract failed. */
export const viewOutcome = (outcome: Outcome): Outcome => {
  if ('error' in outcome) return outcome
  const found = viewed.safeParse(outcome.result)
  return { result: found.success ? `0x${found.data.constant_result[0] ?? ''}` : undefined }
}
