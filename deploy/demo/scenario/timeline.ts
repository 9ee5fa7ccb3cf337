/**
 * Plans the scenario before it is played: steps are scheduled at times, and add transactions to the block of their time.
 * Nothing is read from the chain, because nonces, and with them contract addresses, are computed here.
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
import { ABI } from '../contracts/contracts.ts'
import type { ActorName, Actors } from './actors.ts'

/** A transaction to send in its block. `value` is in wei. */
export type PlannedTransaction = {
  from: Address
  to?: Address
  data?: Hex
  value: bigint
  nonce: number
  /** Whether it is expected to fail. */
  reverts: boolean
  /** Description for the error message if its status is not as expected. */
  label: string
}

/** `time` is in days since block 0. */
export type PlannedBlock = { time: number; transactions: PlannedTransaction[] }

type CallOptions = { value?: bigint; reverts?: boolean }
type Name = ContractFunctionName<typeof ABI>

/** Adds transactions to the block of a step. */
export type BlockBuilder = {
  /** Sends native coins. `value` is in wei. */
  pay: (from: ActorName, to: Address, value: bigint) => void
  call: <F extends Name>(
    from: ActorName,
    to: Address,
    functionName: F,
    args: ContractFunctionArgs<typeof ABI, 'nonpayable' | 'payable', F>,
    options?: CallOptions,
  ) => void
  /** Deploys a contract and returns its future address. */
  deploy: (from: ActorName, label: string, creation: Hex) => Address
}

/** The schedule of a scenario. */
export type Timeline = {
  actors: Actors
  /** Schedules a step, in days since block 0. Steps with equal times share a block, in the order of these calls. */
  at: (day: number, step: (block: BlockBuilder) => void) => void
  /** Runs the steps in order of time and returns the blocks. */
  plan: () => PlannedBlock[]
}

/** Creates an empty schedule. `plan` can run only once, because it counts nonces. */
export const createTimeline = (actors: Actors): Timeline => {
  const steps = new Map<number, ((block: BlockBuilder) => void)[]>()
  let planned = false
  const nonces = new Map<ActorName, number>()
  const nonceOf = (name: ActorName): number => {
    const nonce = nonces.get(name) ?? 0
    nonces.set(name, nonce + 1)
    return nonce
  }

  const blockBuilder = (transactions: PlannedTransaction[]): BlockBuilder => ({
    pay: (from, to, value) => {
      const label = `${from} pays ${to}`
      transactions.push({ from: actors[from], to, value, nonce: nonceOf(from), reverts: false, label })
    },
    call: (from, to, functionName, args, { value = 0n, reverts = false } = {}) => {
      const data = encodeFunctionData({ abi: ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0])
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
      if (planned)
        throw new BugError(
          'ASSAY_DEMO_STORY_OVER',
          'A step was added to a scenario that had already been planned. Nothing was played. Report it.',
        )
      steps.set(day, [...(steps.get(day) ?? []), step])
    },
    plan: () => {
      planned = true
      return [...steps.entries()]
        .sort(([a], [b]) => a - b)
        .map(([time, list]) => {
          const transactions: PlannedTransaction[] = []
          const block = blockBuilder(transactions)
          for (const step of list) step(block)
          return { time, transactions }
        })
        .filter((block) => block.transactions.length > 0)
    },
  }
}
