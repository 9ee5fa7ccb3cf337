/** Facilitators verify and settle payments: a remote service over HTTP, or this process with its own key. */
import { z } from 'zod'
import { RetryableError } from '../../../platform/errors.ts'
import type { PaymentPayload } from '../protocol/payload.ts'
import type { FateLookup } from './fate.ts'

const verdict = z.object({ isValid: z.boolean(), invalidReason: z.string().optional(), payer: z.string().optional() })
/** Maximum length of a transaction hash, in characters. Payers get it in a header. */
const MAX_TRANSACTION = 128

const receipt = z.object({
  success: z.boolean(),
  transaction: z.string().max(MAX_TRANSACTION).default(''),
  errorReason: z.string().optional(),
  payer: z.string().optional(),
})
/** The facilitator's verification of a payment. */
export type Verdict = z.output<typeof verdict>
/** The facilitator's report about a settlement. */
export type Receipt = z.output<typeof receipt>

/** A payment and the requirements to check it against, in the x402 version of the payment. */
export type Claim = { x402Version: 1 | 2; paymentPayload: PaymentPayload; paymentRequirements: Record<string, unknown> }

/** Verifies and settles payments. Its reports are later checked against the chain. */
export type Facilitator = {
  /** @throws RetryableError ASSAY_PAYMENT_FACILITATOR without an answer in time */
  verify: (claim: Claim) => Promise<Verdict>
  /** @throws RetryableError ASSAY_PAYMENT_FACILITATOR if the outcome is unknown */
  settle: (claim: Claim) => Promise<Receipt>
  /** Looks up the outcome of an authorization on chain. */
  fate: FateLookup
}

const unavailable = (cause?: unknown) =>
  new RetryableError(
    'ASSAY_PAYMENT_FACILITATOR',
    'The payment facilitator did not answer, so the call was refused. Whether it was charged is looked up later. Check the facilitator.',
    { cause },
  )

const MAX_ANSWER_BYTES = 1024 * 1024

const textOf = async ({ body }: Response): Promise<string> => {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MAX_ANSWER_BYTES) throw new TypeError('the answer of the facilitator exceeds 1 MB')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const agrees = (answer: Verdict | Receipt): boolean => ('success' in answer ? answer.success : answer.isValid)

/**
 * A remote service. A call is one attempt with a deadline; the outcome of a failed settlement is looked up on chain.
 */
export const createRemoteFacilitator = (
  url: string,
  fate: FateLookup,
  timeoutMs = { verify: 5_000, settle: 60_000 },
): Facilitator => {
  const post = async <T extends Verdict | Receipt>(
    path: 'verify' | 'settle',
    claim: Claim,
    schema: z.ZodType<T>,
  ): Promise<T> => {
    try {
      const response = await fetch(`${url.replace(/\/$/, '')}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(claim),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs[path]),
      })
      if (response.status >= 500) throw new TypeError(`the facilitator answered ${response.status}`)
      const answer = schema.parse(JSON.parse(await textOf(response)))
      // A 4xx counts as a refusal only with a valid body that refuses.
      if (!response.ok && agrees(answer)) throw new TypeError(`the facilitator agreed with status ${response.status}`)
      return answer
    } catch (cause) {
      throw unavailable(cause)
    }
  }
  return {
    verify: (claim) => post('verify', claim, verdict),
    settle: (claim) => post('settle', claim, receipt),
    fate,
  }
}

/** Wraps an in-process facilitator. Validates its answers like those of a remote one. */
export const createLocalFacilitator = (
  engine: { verify: (claim: Claim) => Promise<unknown>; settle: (claim: Claim) => Promise<unknown> },
  fate: FateLookup,
): Facilitator => {
  const ask = async <T>(run: () => Promise<unknown>, schema: z.ZodType<T>): Promise<T> => {
    try {
      return schema.parse(await run())
    } catch (cause) {
      throw unavailable(cause)
    }
  }
  return {
    verify: (claim) => ask(() => engine.verify(claim), verdict),
    settle: (claim) => ask(() => engine.settle(claim), receipt),
    fate,
  }
}
