/** Origin and destination of a wallet's value, for explanations. Amounts are US dollars as exact decimal text. */
import { z } from 'zod'
import { chain } from '../common.ts'

const usd = z
  .string()
  .regex(/^\d+\.\d{2}$/)
  .meta({ description: 'US dollars, to the cent', example: '28760.00' })

const share = z.number().meta({ description: 'Part of all value of this direction, 0 to 1' })

const contact = z
  .object({
    address: z.string().meta({ description: 'The address', example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6' }),
    network: chain.optional().meta({ description: 'Network of the address, where a bridge led to another one' }),
    category: z.string().meta({ description: 'Its category', example: 'sanctioned' }),
    name: z.string().nullable().meta({ description: 'Owner, if a list names one' }),
    share: z.number().meta({ description: 'Its part of the wallet’s value, 0 to 1' }),
    usd,
    hops: z.int().meta({ description: 'Transfers between it and the wallet' }),
  })
  .meta({ id: 'ExposureContact', description: 'An address of a known category that value came from or went to' })

const part = z
  .object({
    usd,
    share,
    addresses: z.int().meta({ description: 'Distinct addresses of the category' }),
    transfers: z
      .int()
      .meta({ description: 'Transfers with them; over several hops, those of the last hop before each address' }),
  })
  .meta({ id: 'ExposurePart', description: 'Value exchanged with the addresses of a category' })

const category = z
  .object({
    category: z.string().meta({ description: 'What the addresses are known as', example: 'sanctioned' }),
    direct: part.meta({ description: 'Paid by or to such addresses themselves' }),
    indirect: part.meta({ description: 'Over one or two wallets in between' }),
    nearest: z
      .object({
        hops: z.int().meta({ description: 'Transfers between the wallet and the nearest address' }),
        path: z.array(z.string()).meta({
          description:
            'From the wallet’s own counterparty to that address; with its network and a colon in front where a bridge led to another one',
          example: ['0x983fd7447391bbae599ac38ea06cd9d60c89fbb6'],
        }),
      })
      .meta({ id: 'ExposurePath', description: 'The shortest way to an address of the category' }),
  })
  .meta({ id: 'ExposureCategory', description: 'What of the value is of one category' })

const notFollowed = z
  .object({
    services: usd.meta({
      description: 'Value traced to exchanges, pools and other services, where money of many people is mixed',
    }),
    bridges: usd.meta({
      description:
        'Of it, what stopped at bridges: no deposit or receipt of the same address and amount on another network was found',
    }),
    limits: usd.meta({ description: 'Value not traced because of the limit of hops, addresses or parties' }),
    unpriced: usd.meta({ description: 'Proceeds of assets without a price, whose own origin is not followed' }),
    unpricedAssets: z
      .int()
      .meta({ description: 'Assets without a price that moved in this direction; they are worth nothing here' }),
    dust: z
      .object({ usd, transfers: z.int().meta({ description: 'Transfers too small to count' }) })
      .meta({ id: 'ExposureDust', description: 'Too little to count' }),
    cut: z.boolean().meta({ description: 'The wallet has more movements than were read; the largest were read' }),
  })
  .meta({ id: 'ExposureNotFollowed', description: 'What the shares leave open' })

const flow = z
  .object({
    total: z.number().meta({ description: 'Value of all flows of this direction, in the unit of the exposure' }),
    usd: usd.meta({ description: 'The same as exact decimal text' }),
    shares: z.record(z.string(), z.number()).meta({
      description:
        'Share of each category, unknown, dust and depth_limit among them; own is what came back to the wallet itself. 1 together, or 0 when nothing moved',
    }),
    categories: z.array(category).meta({ description: 'Each category that was reached, largest share first' }),
    contacts: z.array(contact).meta({ description: 'Addresses of known categories, largest share first' }),
    swapped: usd.meta({
      description:
        'What the wallet only changed into something else within a transaction; it is neither income nor spending',
    }),
    notFollowed,
  })
  .meta({ id: 'ExposureFlow', description: 'Value of one direction, by category' })

/** The part that is computed from the tables; the answer adds the wallet's past. */
export const exposureReport = z.object({
  unit: z
    .literal('USD')
    .meta({ description: 'Coins count at the fixed price of their network, other assets at that of pools' }),
  incoming: flow.meta({ description: 'What the wallet received' }),
  outgoing: flow.meta({ description: 'What the wallet sent' }),
})
/** Value by category of its origin and destination, in US dollars as exact decimal text. */
export type ExposureReport = z.output<typeof exposureReport>
/** One direction of a report: incoming or outgoing value. */
export type ExposureFlow = ExposureReport['incoming']

/** A report with the coverage of the wallet's past, without which its shares are misleading. */
export const exposure = exposureReport
  .extend({
    past: z.enum(['whole', 'fresh', 'unknown']).meta({
      description:
        'Of the wallet, as in its coverage: where it is not whole, value from before the first indexed block is missing',
    }),
  })
  .meta({ id: 'Exposure', description: 'Where value came from and went to, over up to three hops' })
