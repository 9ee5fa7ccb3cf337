/** The trials of one moment. Each is undone before the next. */
import { isVenue, type Step } from '../../chain/simulator/script.ts'
import type { SimulationSetup } from '../simulation-setup.ts'

const BALANCE_OF = '0x70a08231'

/** One trial: steps on the same state, undone together. The name ends with an account when the trial is about one. */
export type Plan = { name: string; steps: Step[] }

/** Plans of all trials, with fresh accounts and the given ones. */
export const plans = (simulation: SimulationSetup, insiders: string[], holders: string[]): Plan[] => {
  const { victim, receiver, buyer, small, large, bystander, pool, kind } = simulation.setup
  const buy = (actor: string, amount: bigint): Step => ({ op: 'buy', actor, amount })
  const sell = (actor: string, amount: bigint): Step => ({ op: 'sell', actor, amount })
  const taxed = kind === 'v3' || kind === 'v4' || isVenue(kind)
  const list: Plan[] = [
    { name: 'round', steps: [buy(victim, small), sell(victim, 5_000n), sell(victim, 10_000n)] },
    { name: 'half', steps: [buy(victim, small), sell(victim, 10_000n)] },
    { name: 'size2', steps: [buy(buyer, small * 10n), sell(buyer, 10_000n)] },
    { name: 'size3', steps: [buy(buyer, large / 2n), sell(buyer, 10_000n)] },
    { name: 'large', steps: [buy(buyer, large), sell(buyer, 10_000n)] },
    {
      name: 'move',
      steps: [
        buy(victim, small),
        { op: 'move', actor: victim, target: receiver, amount: 1_000n },
        { op: 'moveFrom', actor: victim, target: receiver, amount: 1_000n },
      ],
    },
    { name: 'twice', steps: [buy(victim, small), buy(victim, small)] },
    {
      name: 'many',
      steps: [0, 1, 2, 3, 4].flatMap(() => [buy(bystander, small), sell(bystander, 5_000n)]),
    },
  ]
  if (taxed)
    list.push({
      name: 'poolTax',
      steps: [buy(victim, small), { op: 'move', actor: victim, target: pool, amount: 1_000n }],
    })
  if (simulation.injected) {
    const { holder } = simulation
    list.push({
      name: 'injected',
      steps: [
        { op: 'move', actor: holder, target: receiver, amount: 1_000n },
        sell(holder, 1_000n),
        sell(holder, 10_000n),
      ],
    })
    list.push({ name: 'injectedAll', steps: [sell(holder, 10_000n)] })
  }
  for (const insider of insiders) {
    list.push({ name: `insider ${insider}`, steps: [buy(insider, small), sell(insider, 10n)] })
    list.push({ name: `insiderSell ${insider}`, steps: [sell(insider, 10n)] })
  }
  for (const holder of holders) {
    const held = {
      op: 'read',
      target: simulation.setup.token,
      data: `${BALANCE_OF}${holder.slice(2).padStart(64, '0')}`,
    } as const
    list.push({ name: `holder ${holder}`, steps: [held, sell(holder, 1_000n)] })
  }
  return list
}
