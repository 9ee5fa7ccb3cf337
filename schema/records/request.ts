import { z } from 'zod'
import { parseAddress } from '../address/index.ts'
import { familyOf, type Network, networkInfo, networksOf, type Operation, parseNetwork } from '../networks.ts'

/** Maximum length of an address, in characters; the longest valid form (TON raw) has 75. */
const MAX_ADDRESS = 128

/** A valid request. */
export type AnalysisRequest = {
  network: Network
  /** Canonical text. */
  address: string
  /** The caller's notation. */
  spelling: string
  calculate: boolean
  /** Version of a record: later ones are left out. */
  upTo?: number
  /** First requested day. */
  from?: string
}

/** A well-known address of the network, for documentation and tests. */
export const exampleAddress = (network: Network): string => familyOf(network).exampleAddress

/** If the network is optional, it defaults to the operation's first one, which the published schema states (zod omits that). */
const networkField = (operation: Operation, optional: boolean) => {
  const codes = networksOf(operation)
  const aliases = codes.flatMap((code) => networkInfo(code).aliases).join(', ')
  const field = z.preprocess(
    (value) => (typeof value === 'string' ? (parseNetwork(value) ?? value) : value),
    z
      .enum(codes, {
        error: ({ input }) => (input === undefined ? 'is required' : `must be one of ${codes.join(', ')}`),
      })
      .meta({
        description: `Network code; any case and the names ${aliases} are accepted too`,
        example: codes[0],
        ...(optional && { default: codes[0] }),
      }),
  )
  return optional ? field.default(codes[0]) : field
}

type Further = { optionalNetwork?: boolean; calculate: boolean; versions?: boolean; days?: boolean }

const fields = (
  operation: Operation,
  { optionalNetwork = false, calculate, versions = false, days = false }: Further,
) => {
  const first = networksOf(operation)[0]
  return z.object(
    {
      network: networkField(operation, optionalNetwork),
      walletAddress: z
        .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
        .min(1, 'must not be empty')
        .max(MAX_ADDRESS, `must not be longer than ${MAX_ADDRESS} characters`)
        .meta({
          description:
            operation === 'rug_pull'
              ? 'Contract or liquidity pool to analyse'
              : 'Wallet to analyse, in the format of its network',
          example: exampleAddress(first),
        }),
      ...(calculate && {
        calculate: z.boolean('must be true or false').optional().default(false).meta({
          description: 'true recalculates now; false or omitted returns the most recent score',
          example: false,
        }),
      }),
      ...(versions && {
        upTo: z
          .int('must be a version')
          .positive('must be a version')
          .optional()
          .meta({ description: 'Version of a record: the verdict that was in force then comes first' }),
      }),
      ...(days && {
        from: z.iso.date('must be a day, as 2026-11-23').optional().meta({
          description: 'First day (UTC) of the period; by default, and at the earliest, the first day with activity',
          example: '2026-08-25',
        }),
      }),
    },
    'must be a JSON object',
  )
}

/**
 * Schema of an operation's request body. Parses to an `AnalysisRequest`; its input side is the published JSON schema. Unknown
 * fields are ignored.
 */
export const requestSchema = (operation: Operation, options: Further & { id: string }): z.ZodType<AnalysisRequest> =>
  fields(operation, options)
    .meta({ id: options.id, description: 'Request for an address on a network' })
    .transform((body, context): AnalysisRequest => {
      const parsed = parseAddress(body.network, body.walletAddress)
      if (parsed.ok) {
        const calculate = 'calculate' in body && body.calculate === true
        const request = { network: body.network, address: parsed.canonical, spelling: body.walletAddress, calculate }
        return {
          ...request,
          ...('upTo' in body && typeof body.upTo === 'number' && { upTo: body.upTo }),
          ...('from' in body && typeof body.from === 'string' && { from: body.from }),
        }
      }
      context.issues.push({
        code: 'custom',
        path: ['walletAddress'],
        message: parsed.reason,
        input: body.walletAddress,
      })
      return z.NEVER
    })
