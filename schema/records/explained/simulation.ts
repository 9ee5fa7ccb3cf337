/** Simulated trades in explanations: trials with their steps. */
import { z } from 'zod'

const tokens = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .nullable()

const step = z
  .object({
    action: z
      .enum(['buy', 'approve', 'sell', 'transfer', 'transfer_from'])
      .meta({ description: 'transfer: to another account; transfer_from: the same, by an approved spender' }),
    part: z.number().nullable().meta({
      description:
        'buy: part of the base asset in the pool, 0 to 1; otherwise part of what the account holds. null for approvals',
      example: 0.001,
    }),
    secondsLater: z.int().meta({ description: 'Seconds after the block of the analysis', example: 3_600 }),
    blocksLater: z.int().meta({ description: 'Blocks after it', example: 300 }),
    outcome: z.enum(['accepted', 'refused', 'not_run']).meta({
      description: 'not_run: it was not tried, or the node could not run it; it is no refusal',
    }),
    sent: tokens.meta({
      description: 'Whole tokens that were sent: by the pool, by the seller. null unless accepted',
      example: '500',
    }),
    arrived: tokens.meta({ description: 'Whole tokens that arrived; null unless accepted', example: '475' }),
    tax: z.number().nullable().meta({ description: 'Percent that did not arrive; null unless accepted', example: 5 }),
    gas: z.int().nullable().meta({ description: 'Gas used; null where it was not measured', example: 91_204 }),
    reason: z.string().nullable().meta({
      description:
        'Words of a refusal as the token or the pool chose them, at most 32 printable ASCII characters, or the selector of its error. Show it as text; null where there are none',
      example: 'trading is closed',
    }),
  })
  .meta({ id: 'SimulatedStep', description: 'A step of a simulated trade' })

const trial = z
  .object({
    trial: z
      .enum([
        'person',
        'late_seller',
        'sender',
        'recipient',
        'sell_all',
        'sell_in_parts',
        'larger',
        'buy_twice',
        'transfer',
        'fresh_holder',
        'insider',
      ])
      .meta({
        description:
          'person: buys and sells a tenth ever later, or a hundredth at moments nobody can foresee. late_seller: sells for the first time a day later, everything, or a tenth where that is refused; sooner where others are refused or taxed at first. sender: buys, sends half of it to another person, and sells later; recipient: that other person. larger: ten to a hundred times as much. buy_twice: within one transaction. fresh_holder: was given tokens and never bought. insider: the owner, the creator or another whom the code obeys',
      }),
    actor: z.enum(['person', 'contract']).meta({
      description: 'person: an account without code, in transactions of its own; contract: an account with code',
    }),
    account: z
      .string()
      .nullable()
      .meta({
        description: 'Known owner of the account; null for fresh accounts',
        example: `0x${'cc'.repeat(20)}`,
      }),
    opened: z.boolean().meta({ description: 'Whether the owner opens trading first, which is closed as things are' }),
    steps: z.array(step).meta({ description: 'In order; each one sees what those before it did' }),
  })
  .meta({
    id: 'SimulatedTrial',
    description:
      'Steps of one account. They are undone before the next trial, except that a recipient keeps the tokens of its sender',
  })

const plainAccount = z
  .object({
    outcome: z.enum(['sold', 'refused', 'unknown']).meta({
      description: 'refused: by the token itself, each way, at each moment; unknown: neither is proved',
    }),
    tries: z.int().meta({ description: 'Sales and transfers to pools that were tried', example: 24 }),
    tax: z
      .number()
      .nullable()
      .meta({ description: 'Percent of a sale that did not arrive; null where none was measured' }),
    reason: z.string().nullable().meta({ description: 'Words of the refusal, as in steps' }),
  })
  .meta({
    id: 'PlainAccountSale',
    description: 'Sales of an account without code by every way there is, over two years',
  })

/** Simulated trades of a contract. If there are none, `why` has the reason. */
export const simulation = z
  .object({
    trials: z.array(trial).meta({ description: 'Empty where nothing was simulated' }),
    plainAccount: plainAccount.nullable().meta({ description: 'null where there was no reason to try it' }),
    why: z.string().nullable().meta({
      description: 'Why no trades were simulated; null where they were',
      example: 'no market to trade on',
    }),
  })
  .meta({
    id: 'Simulation',
    description:
      'What happens to people who buy, move and sell, at the block of the analysis and later. Nothing is sent',
  })
/** Simulated trades of a contract, as the analysis reports them. */
export type Simulation = z.output<typeof simulation>
