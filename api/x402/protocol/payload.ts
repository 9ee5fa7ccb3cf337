/**
 * The x402 payment header, versions 1 and 2: base64-encoded JSON. The payload states the version; both headers accept both versions.
 * The network may be `base` or `eip155:8453` in either version.
 */
import { z } from 'zod'

const hex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`))
const MAX_UINT256 = 2n ** 256n - 1n
/** A uint256 in JSON: only decimal digits, so that all parsers agree on the number. */
const uint256 = z.string().refine((text) => /^(0|[1-9]\d{0,77})$/.test(text) && BigInt(text) <= MAX_UINT256)

/** EIP-3009 TransferWithAuthorization, as signed by the payer. */
const authorization = z.object({
  from: hex(20),
  to: hex(20),
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: hex(32),
})

const exact = z.object({ signature: z.string().regex(/^0x[0-9a-fA-F]{2,16384}$/), authorization })

const v1 = z.looseObject({ x402Version: z.literal(1), scheme: z.string(), network: z.string(), payload: exact })
const v2 = z.looseObject({
  x402Version: z.literal(2),
  accepted: z.looseObject({ scheme: z.string(), network: z.string() }),
  payload: exact,
})
const anyVersion = z.discriminatedUnion('x402Version', [v1, v2])

/** A payment of either version. */
export type PaymentPayload = z.output<typeof anyVersion>
/** What the payer signed: a transfer with authorization (EIP-3009). */
export type Authorization = z.output<typeof authorization>

/** Maximum length of a header, in characters. */
const MAX_HEADER = 16_384

/** Decodes a payment header; `undefined` when it is not a payment of either version. */
export const decodePayment = (header: string): PaymentPayload | undefined => {
  if (header.length > MAX_HEADER || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(header)) return undefined
  try {
    return anyVersion.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** The network of a payment. */
export const networkOf = (payment: PaymentPayload): string =>
  payment.x402Version === 1 ? payment.network : payment.accepted.network

/** The scheme of a payment. */
export const schemeOf = (payment: PaymentPayload): string =>
  payment.x402Version === 1 ? payment.scheme : payment.accepted.scheme

/** Encodes a value for an x402 header. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
