/**
 * Sales by an account that bought tokens and sent half of them on, and by the recipient, a day and a month later. When
 * one of them cannot sell, but an account that sent nothing can, the token treats accounts differently: tokens moved
 * between one's own wallets are lost.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step, StepResult } from '../../chain/simulator/script.ts'
import { isLost, MIN_UNITS, momentAt, type Outcome, outcome, refusedCall } from '../outcome.ts'
import { personCall, runCallsAndScripts, type Script, type SimulationSetup, withAnother } from '../simulation-setup.ts'
import { approvalsBy } from './ages.ts'
import { type After, addSpan, momentsOf } from './moments.ts'
import type { TrialStep } from './shown.ts'

/** An account that buys and sends half of its tokens on. */
export type SentInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first. */
  opening: Step[]
  /** When the account buys. */
  start: After
  /** Base units that it buys. */
  held: bigint
  /** Sales at the same ages by an account that sent nothing. */
  unsent: readonly Outcome[]
}

const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0')
const transfer = (to: string, amount: bigint) => `0xa9059cbb${word(to)}${word(amount)}`
const balanceOf = (who: string) => `0x70a08231${word(who)}`
const sale = (actor: string): Step => ({ op: 'sell', actor, amount: 1_000n })

/** Result of sales after a transfer. */
export type AfterTransfer = {
  /** Whether a transfer keeps the sender or the recipient from selling. `undefined` when that could not be run. */
  closes: boolean | undefined
  /** What each of them did; empty when not tried. */
  senderSteps: TrialStep[]
  recipientSteps: TrialStep[]
}

type Ran = Awaited<ReturnType<typeof runCallsAndScripts>>

/** When half of the purchase is sent, and when both accounts sell. */
const momentsFrom = (chain: ChainReader, start: After): [sent: After, ...sold: After[]] => {
  const later = momentsOf(chain).ages.map((age) => addSpan(start, age))
  const [, , hour = start, day, month] = later
  return [hour, ...[day, month].filter((age) => age !== undefined)]
}

const run = ({ chain, opening, start, held, simulation: given }: SentInput, [hour, ...ages]: After[]): Promise<Ran> => {
  const [simulation, recipient] = withAnother(chain, given, 'recipient')
  const { person, setup } = simulation
  const at = ({ seconds, blocks }: After) => momentAt(chain, seconds, blocks)
  const sent = personCall(chain, simulation, setup.token, transfer(recipient, held / 2n))
  const approvals = [person, recipient].flatMap((who) => approvalsBy(chain, { ...simulation, person: who }))
  return runCallsAndScripts(chain, simulation, [
    {
      steps: [...simulation.funding, ...opening, { op: 'buy', actor: person, amount: setup.small }],
      moment: at(start),
    },
    {
      before: [sent, ...approvals],
      steps: [{ op: 'read', target: setup.token, data: balanceOf(recipient) }],
      moment: at(hour ?? start),
    },
    ...ages.flatMap((age): Script[] => [
      { steps: [sale(person)], moment: at(age) },
      { steps: [sale(recipient)], moment: at(age), from: recipient },
    ]),
  ])
}

/** Sends half of a purchase an hour later, and sells from both accounts a day and a month later. */
export const sellAfterTransfer = async (input: SentInput): Promise<AfterTransfer> => {
  const { chain, start, unsent } = input
  const [hour, ...ages] = momentsFrom(chain, start)
  const [bought, passed, ...sold] = (await run(input, [hour, ...ages])) ?? []
  const received = passed?.results?.[0]?.word
  const arrived = received !== undefined && received >= MIN_UNITS
  const [transferred, ...approved] = passed?.calls ?? []
  const half = approved.length / 2
  const salesOf = (side: 0 | 1) => ages.map((_, i) => sold[2 * i + side]?.results?.[0])
  const [mine, theirs] = [salesOf(0), salesOf(1)]
  const outcomes = [mine, theirs].map((sales) => sales.map(outcome))
  const isRun = received !== undefined && !outcomes.flat().includes(undefined)
  const accepted = (calls: readonly (string | undefined)[]) => passed && calls.some((answer) => !refusedCall(answer))
  const approval = (calls: readonly (string | undefined)[]): TrialStep => ({
    action: 'approve',
    part: null,
    ...hour,
    ok: accepted(calls),
  })
  const sales = (results: readonly (StepResult | undefined)[]) =>
    ages.map((age, i): TrialStep => ({ action: 'sell', part: 0.1, ...age, result: results[i] }))
  return {
    // A refused transfer sent nothing.
    closes: isRun ? arrived && !unsent.some(isLost) && outcomes.some((side) => side.every(isLost)) : undefined,
    senderSteps: [
      { action: 'buy', part: 0.001, ...start, result: bought?.results?.at(-1) },
      { action: 'transfer', part: 0.5, ...hour, ok: accepted([transferred]) },
      approval(approved.slice(0, half)),
      ...sales(mine),
    ],
    // Without a transfer the recipient has nothing to sell.
    recipientSteps: [approval(approved.slice(half)), ...sales(arrived ? theirs : [])],
  }
}
