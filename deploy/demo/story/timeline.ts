/**
 * A story is told before it happens: parts put steps at moments, steps put transactions into blocks. Nothing has to be
 * read from the chain meanwhile, because nonces are counted here and so every address of a contract is known ahead.
 */
import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  getContractAddress,
  type Hex,
} from 'viem'
import { BugError } from '../../../platform/errors.ts'
import { CALLS } from '../contracts/contracts.ts'
import type { ActorName, Actors } from './actors.ts'

/** A transaction that is signed and sent when its block's turn has come. `value` is wei. */
export type PlannedTransaction = {
  from: Address
  to?: Address
  data?: Hex
  value: bigint
  nonce: number
  /** Whether it is meant to fail. */
  reverts: boolean
  /** For the message when it ends otherwise than meant. */
  label: string
}

/** `time` in days since the chain's beginning. */
export type PlannedBlock = { time: number; transactions: PlannedTransaction[] }

type Deed = { value?: bigint; reverts?: boolean }
type Name = ContractFunctionName<typeof CALLS>

/** What a step can do; all of it lands in the block of the step's moment. */
export type Hand = {
  /** Coins, in wei. */
  pay: (from: ActorName, to: Address, value: bigint) => void
  call: <F extends Name>(
    from: ActorName,
    to: Address,
    functionName: F,
    args: ContractFunctionArgs<typeof CALLS, 'nonpayable' | 'payable', F>,
    deed?: Deed,
  ) => void
  /** Address of the contract that will stand there. */
  deploy: (from: ActorName, label: string, creation: Hex) => Address
}

/** A story while it is told. */
export type Timeline = {
  actors: Actors
  /** Steps of one moment share a block, in the order they were put there. Moments in days, 0 or later. */
  at: (day: number, step: (hand: Hand) => void) => void
  /** Runs the steps in order of time. */
  plan: () => PlannedBlock[]
}

/** A story without steps. It can be planned once, because nonces are counted on the way. */
export const createTimeline = (actors: Actors): Timeline => {
  const steps = new Map<number, ((hand: Hand) => void)[]>()
  let told = false
  const nonces = new Map<ActorName, number>()
  const nonceOf = (name: ActorName): number => {
    const nonce = nonces.get(name) ?? 0
    nonces.set(name, nonce + 1)
    return nonce
  }

  const handOf = (transactions: PlannedTransaction[]): Hand => ({
    pay: (from, to, value) => {
      const label = `${from} pays ${to}`
      transactions.push({ from: actors[from], to, value, nonce: nonceOf(from), reverts: false, label })
    },
    call: (from, to, functionName, args, { value = 0n, reverts = false } = {}) => {
      const data = encodeFunctionData({ abi: CALLS, functionName, args } as Parameters<typeof encodeFunctionData>[0])
      const label = `${from} calls ${functionName} of ${to}`
      transactions.push({ from: actors[from], to, data, value, nonce: nonceOf(from), reverts, label })
    },
    deploy: (from, label, creation) => {
      const nonce = nonceOf(from)
      const entry = { from: actors[from], data: creation, value: 0n, nonce, reverts: false }
      transactions.push({ ...entry, label: `${from} deploys ${label}` })
      return getContractAddress({ from: actors[from], nonce: BigInt(nonce) })
    },
  })

  return {
    actors,
    at: (day, step) => {
      if (told)
        throw new BugError(
          'ASSAY_DEMO_STORY_OVER',
          'A step was put into a story that had been told already. Nothing was played. Report it.',
        )
      steps.set(day, [...(steps.get(day) ?? []), step])
    },
    plan: () => {
      told = true
      return [...steps.entries()]
        .sort(([a], [b]) => a - b)
        .map(([time, list]) => {
          const transactions: PlannedTransaction[] = []
          const hand = handOf(transactions)
          for (const step of list) step(hand)
          return { time, transactions }
        })
        .filter((block) => block.transactions.length > 0)
    },
  }
}
