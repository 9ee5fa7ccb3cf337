/**
 * Simulates calls on modified state: by the node when it supports state and block overrides, else in an in-process EVM
 * over the node's state. The node's capabilities are probed once.
 */
import { messageOf } from '../../../platform/errors.ts'
import { type ChainCall, isHex, type Moment, type Overrides, type Requester } from './call.ts'
import type { LocalEvm, StateSource } from './evm/local.ts'
import type { Pinned } from './evm/protocol.ts'
import { type BlockPin, refused } from './pin.ts'

/** Simulations of one analysis. Capabilities of the node are cached for ten minutes per requester. */
export type Simulation = {
  /** `undefined` when the call failed or could not be run. */
  execute: (call: ChainCall, overrides: Overrides, moment?: Moment) => Promise<string | undefined>
  /**
   * Runs calls at given moments, each on the state left by the previous one; `undefined` when they could not be run.
   */
  sequence: (
    blocks: { call: ChainCall; moment: Moment }[],
    overrides: Overrides,
  ) => Promise<(string | undefined)[] | undefined>
  /** Why a simulation could not be run; `undefined` while all could. */
  limitation: () => string | undefined
  /** Maximum gas of a simulated call. */
  gas: () => Promise<number>
}

type Capabilities = {
  /** Supports state overrides in eth_call. */
  state: boolean
  /** Supports block overrides (number and time) in eth_call. */
  block: boolean
  /** Gas of a call; nodes clamp or refuse higher values. */
  gas: number
}

/** The node and the pinned block of one analysis. No simulation starts after `left` reaches 0. */
export type SimulationDeps = {
  rpc: Requester
  /** Sends a request within the deadline. */
  ask: (method: string, params: unknown[]) => Promise<unknown>
  pinned: Pinned
  /** Block parameter for the pinned block. */
  at: BlockPin
  state: StateSource
  evm: LocalEvm | undefined
  /** Milliseconds left for the analysis. */
  left: () => number
  now: () => number
}

const quantity = (value: number): string => `0x${value.toString(16)}`
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const PROBE = '0x00000000000000000000000000000000000a55a1'
/** Returns the block number, the block time and the remaining gas. */
const PROBE_CODE = '0x43600052426020525a60405260606000f3'
const PROBE_WORDS = 3
/** Gas values tried in turn on a node that refuses more; 50 million is geth's default limit. */
const GAS = [400_000_000, 150_000_000, 50_000_000, 30_000_000]
/** Minimum gas of a simulation. */
const MIN_GAS = 25_000_000
const LITTLE_GAS = 100_000
/** Minimum gas of a script. */
const MIN_SCRIPT = 14_000_000
const TOO_LITTLE = 'the node gives calls too little gas'
const AHEAD = 12_345
const NO_OVERRIDES = 'the node does not support state overrides'
const CACHE_MS = 10 * 60_000
const NO_SEQUENCE = /method|not (found|supported|available|implemented)|unsupported|-32601/i

type KnownNode = { abilities: Promise<Capabilities>; until: number; noSequence: boolean }
const knownOf = new WeakMap<Requester, KnownNode>()

const probe = async ({ ask, pinned, at }: SimulationDeps): Promise<Capabilities> => {
  const moment = { number: quantity(pinned.height + AHEAD), time: quantity(pinned.time + AHEAD) }
  const words = async (gas: number, params: unknown[]): Promise<bigint[]> => {
    try {
      const answer = await ask('eth_call', [{ to: PROBE, data: '0x', gas: quantity(gas) }, at, ...params])
      if (!isHex(answer) || answer.length !== 2 + 64 * PROBE_WORDS) return []
      return Array.from({ length: PROBE_WORDS }, (_, i) => BigInt(`0x${answer.slice(2 + 64 * i, 66 + 64 * i)}`))
    } catch (error) {
      if (refused(error)) return []
      throw error
    }
  }
  const overrides = { [PROBE]: { code: PROBE_CODE } }
  const capabilitiesOf = ([number, time, gas]: bigint[]): Capabilities => {
    const block = number === BigInt(pinned.height + AHEAD) && time === BigInt(pinned.time + AHEAD)
    return { state: true, block, gas: Number(gas) }
  }
  const [most = 0, ...less] = GAS
  const first = await words(most, [overrides, moment])
  if (first.length > 0) return capabilitiesOf(first)
  // The node refused the gas, the block overrides or the state overrides.
  for (const params of [[overrides, moment], [overrides]]) {
    if ((await words(LITTLE_GAS, params)).length === 0) continue
    for (const gas of less) {
      const answer = await words(gas, params)
      if (answer.length > 0) return capabilitiesOf(answer)
    }
    return { state: true, block: params.length > 1, gas: 0 }
  }
  return { state: false, block: false, gas: 0 }
}

/** Sends no request before the first simulation. */
export const createSimulation = (deps: SimulationDeps): Simulation => {
  const { rpc, ask, pinned, at, evm } = deps
  let limitation: string | undefined

  const known = (): KnownNode => {
    const found = knownOf.get(rpc)
    if (found && found.until > deps.now()) return found
    const made = { abilities: probe(deps), until: deps.now() + CACHE_MS, noSequence: false }
    made.abilities.catch(() => knownOf.delete(rpc))
    knownOf.set(rpc, made)
    return made
  }
  const abilities = (): Promise<Capabilities | undefined> => known().abilities.catch(() => undefined)

  const locally = async (
    blocks: { call: ChainCall; moment?: Moment }[],
    overrides: Overrides,
    why: string,
  ): Promise<(string | undefined)[] | undefined> => {
    const run = await (evm?.run({ pinned, blocks, overrides }, deps.state, deps.left()) ?? {
      failure: 'no in-process EVM is available',
    })
    if ('results' in run) return run.results
    limitation = `${why}, and ${run.failure}`
    return undefined
  }

  /** The call with its gas limited to the node's maximum. */
  const within = (call: ChainCall, { gas }: Capabilities): ChainCall =>
    call.gas !== undefined && Number(call.gas) > gas ? { ...call, gas: quantity(gas) } : call

  return {
    limitation: () => limitation,
    gas: async () => {
      const able = await abilities()
      return able?.state && able.gas >= MIN_GAS ? able.gas : (GAS[0] ?? 0)
    },
    execute: async (call, overrides, moment) => {
      const able = await abilities()
      if (!able) {
        limitation = 'the node did not answer'
        return undefined
      }
      const poor = able.gas < MIN_GAS && Number(call.gas ?? 0) > able.gas
      if (!able.state || poor || (moment && !able.block)) {
        const block = moment ? { call, moment } : { call }
        const why = !able.state ? NO_OVERRIDES : poor ? TOO_LITTLE : 'the node does not support block overrides'
        return (await locally([block], overrides, why))?.[0]
      }
      const pretended = moment ? [{ number: quantity(moment.number), time: quantity(moment.time) }] : []
      try {
        const answer = await ask('eth_call', [within(call, able), at, overrides, ...pretended])
        return isHex(answer) ? answer : undefined
      } catch {
        return undefined
      }
    },
    sequence: async (blocks, overrides) => {
      const able = await abilities()
      if (!able) return undefined
      if (!able.state) return locally(blocks, overrides, NO_OVERRIDES)
      // Calls of a sequence share the node's gas limit for one call.
      const share = { ...able, gas: Math.max(MIN_GAS, Math.floor(able.gas / 2)) }
      const poor = able.gas < MIN_GAS && blocks.some(({ call }) => Number(call.gas ?? 0) > able.gas)
      if (poor) return locally(blocks, overrides, TOO_LITTLE)
      const node = known()
      if (!node.noSequence) {
        const blockStateCalls = byBlock(
          blocks.map((block) => ({ ...block, call: within(block.call, able.gas < (GAS[0] ?? 0) / 2 ? share : able) })),
        )
          .map(({ moment, calls }) => ({ moment, calls: withinBlockGas(calls, pinned.gasLimit) }))
          .map(({ moment, calls }, index) => ({
            blockOverrides: {
              number: quantity(moment.number),
              time: quantity(moment.time),
              gasLimit: quantity(Math.max(pinned.gasLimit, gasOf(calls))),
              baseFeePerGas: `0x${(moment.baseFee ?? pinned.baseFee).toString(16)}`,
              feeRecipient: moment.coinbase ?? pinned.coinbase,
              prevRandao: moment.prevRandao ?? pinned.prevRandao,
            },
            ...(index === 0 ? { stateOverrides: overrides } : {}),
            calls,
          }))
        try {
          const answer = await ask('eth_simulateV1', [{ blockStateCalls }, at])
          return Array.isArray(answer) ? readSequence(answer, blocks.length) : undefined
        } catch (error) {
          if (!refused(error) || !NO_SEQUENCE.test(messageOf(error))) return undefined
          node.noSequence = true
        }
      }
      return locally(blocks, overrides, 'the node does not support eth_simulateV1')
    },
  }
}

const gasOf = (calls: readonly ChainCall[]): number => calls.reduce((sum, { gas = 0 }) => sum + Number(gas), 0)

/** The calls limited to the gas of a block of the network, because a contract can read its gas. */
const withinBlockGas = (calls: readonly ChainCall[], gasLimit: number): ChainCall[] => {
  const scripts = calls.filter(({ gas }) => Number(gas) > MIN_SCRIPT)
  const left = gasLimit - gasOf(calls.filter((call) => !scripts.includes(call)))
  const share = Math.max(MIN_SCRIPT, Math.floor(left / scripts.length))
  return calls.map((call) => (Number(call.gas) > share ? { ...call, gas: quantity(share) } : call))
}

/** Groups the calls of one moment into one block: nodes allow few blocks. */
const byBlock = (items: readonly { call: ChainCall; moment: Moment }[]): { moment: Moment; calls: ChainCall[] }[] => {
  const blocks: { moment: Moment; calls: ChainCall[] }[] = []
  for (const { call, moment } of items) {
    const last = blocks.at(-1)
    if (last && last.moment.number === moment.number && last.moment.time === moment.time) last.calls.push(call)
    else blocks.push({ moment, calls: [call] })
  }
  return blocks
}

const readSequence = (answer: unknown[], count: number): (string | undefined)[] => {
  // Blocks that the node inserts in gaps have no calls.
  const made = answer.flatMap((item): unknown[] => (isRecord(item) && Array.isArray(item.calls) ? item.calls : []))
  return Array.from({ length: count }, (_, index) => {
    const result = made[index]
    return isRecord(result) && result.status === '0x1' && isHex(result.returnData) ? result.returnData : undefined
  })
}
