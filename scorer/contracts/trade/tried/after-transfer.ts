/**
 * Sales of who bought tokens and sent half of them to somebody, and of whom they were sent to, a day and a month later. Where one of both may
 * not sell, and who sent nothing may, the token tells accounts apart: what people move between wallets of their own is lost.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { FEW_UNITS, isLost, momentAt, type Outcome, outcome } from '../outcome.ts'
import { personCall, runCallsAndScripts, type Script, type SimulationSetup, withAnother } from '../simulation-setup.ts'
import { approvalsBy } from './ages.ts'
import { type After, momentsOf } from './moments.ts'

/** Who bought, and passes half of it on. */
export type SentInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first. */
  opening: Step[]
  /** When the person buys. */
  start: After
  /** Base units that it buys. */
  held: bigint
  /** Sales at the same ages of a person who sent nothing. */
  unsent: readonly Outcome[]
}

const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0')
const transfer = (to: string, amount: bigint) => `0xa9059cbb${word(to)}${word(amount)}`
const balanceOf = (who: string) => `0x70a08231${word(who)}`
const sale = (actor: string): Step => ({ op: 'sell', actor, amount: 1_000n })

/** Whether a transfer keeps its sender or its recipient from selling. `undefined` where that could not be run. */
export const refusesAfterTransfer = async (input: SentInput): Promise<boolean | undefined> => {
  const { chain, opening, start, held, unsent } = input
  const [simulation, recipient] = withAnother(chain, input.simulation, 'recipient')
  const { person, setup } = simulation
  const [, , hour, day, month] = momentsOf(chain).ages
  const at = (age: After) => momentAt(chain, start.seconds + age.seconds, start.blocks + age.blocks)
  const sent = personCall(chain, simulation, setup.token, transfer(recipient, held / 2n))
  const approvals = [person, recipient].flatMap((who) => approvalsBy(chain, { ...simulation, person: who }))
  const scripts: Script[] = [
    {
      steps: [...simulation.funding, ...opening, { op: 'buy', actor: person, amount: setup.small }],
      moment: momentAt(chain, start.seconds, start.blocks),
    },
    {
      before: [sent, ...approvals],
      steps: [{ op: 'read', target: setup.token, data: balanceOf(recipient) }],
      moment: at(hour),
    },
    ...[day, month].flatMap((age): Script[] => [
      { steps: [sale(person)], moment: at(age) },
      { steps: [sale(recipient)], moment: at(age), from: recipient },
    ]),
  ]
  const answers = await runCallsAndScripts(chain, simulation, scripts)
  const received = answers?.[1]?.results?.[0]?.word
  const sales = answers?.slice(2).map(({ results }) => outcome(results?.[0])) ?? []
  if (received === undefined || sales.length === 0 || sales.includes(undefined)) return undefined
  const bySide = [0, 1].map((side) => sales.filter((_, i) => i % 2 === side))
  // Whose transfer was refused has sent nothing.
  return received >= FEW_UNITS && !unsent.some(isLost) && bySide.some((side) => side.every(isLost))
}
