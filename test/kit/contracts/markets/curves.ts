/** Launchpads on a local chain, and tokens on their curves. */
import { encodeAbiParameters, parseAbi } from 'viem'
import { type ContractAnalysis, createContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../../scorer/contracts/chain/call.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import type { CurveLaunchpad } from '../../../../scorer/contracts/subject/registry.ts'
import { SHARED_THREADS } from '../analysis-threads.ts'
import { compiledFile, creationOf } from '../solidity/files.ts'
import { call, E18, type Pools, pad } from './pools.ts'

const lists = parseAbi([
  'function list(address,address,uint256,bool,uint256) payable',
  'function list(address,uint256,bool,bool)',
  'function list(address,uint256,uint256,uint256) payable',
  'function suspend(address,uint256)',
  'function fillAt(address,uint256)',
  'function wreck(address)',
  'function halt()',
])
const RAISED = 20n * E18
const NATIVE = `0x${'0'.repeat(40)}`

export type Stage = 'trading' | 'halted' | 'graduated'
export type Launchpad = CurveLaunchpad & {
  /**
   * Puts half the supply of a token of `tokenOf` on the curve, with 20 coins raised. `base` is the wrapped coin by default. `tax`: parts of
   * 10,000 that Flap keeps of what is paid, and twice that of what is received.
   */
  list: (token: string, listing?: { stage?: Stage; base?: string; raised?: bigint; tax?: bigint }) => Promise<void>
  /** Account that holds the token for the curve. */
  vault: (token: string) => Promise<string>
  /** The launchpad refuses sales of any token, and Virtuals' purchases too; four.meme's after this many seconds. */
  suspend: (token: string, later?: number) => Promise<unknown>
}
export type Curves = {
  open: (design: CurveLaunchpad['design']) => Promise<Launchpad>
  /** A token on four.meme's curve that only its manager may move. */
  restricted: (on: Launchpad, contract?: 'CurveToken' | 'RushedToken') => Promise<string>
  fillAt: (on: Launchpad, token: string, most: bigint) => Promise<unknown>
  /** The launchpad reports an unknown state for a token. */
  wreck: (on: Launchpad, token: string) => Promise<unknown>
  /** An analysis that knows these launchpads and no exchange. */
  analysisOf: (...curves: Launchpad[]) => ContractAnalysis
  /** The same with a node that offers no simulation. */
  alone: (...curves: Launchpad[]) => ContractAnalysis
}

const simulatesNothing = (rpc: Requester): Requester => ({
  request: (call) =>
    call.method === 'eth_simulateV1' || (call.method === 'eth_call' && call.params.length > 2)
      ? Promise.reject(new Error(`method ${call.method} not supported`))
      : rpc.request(call),
})

export const openCurves = async (p: Pools): Promise<Curves> => {
  const contracts = compiledFile(new URL('./curves.sol', import.meta.url))
  const { lab, from, send, approve, weth } = p
  const deploy = (name: string, args = '') => lab.deploy(from, `${creationOf(contracts, name)}${args}`)
  const analysis = (rpc: Requester, known: Launchpad[]) =>
    createContractAnalysis({
      context: { clock: { now: Date.now, sleep: async () => {} } },
      rpc,
      network: 'ETH',
      stakeholders: createStakeholders({ network: 'ETH' }),
      options: { ...SHARED_THREADS, registry: { ...p.registry, exchanges: [], curves: known }, deadlineMs: 120_000 },
    })
  const fourMeme = async (design: 'four-meme-1' | 'four-meme'): Promise<Launchpad> => {
    const address = await deploy(design === 'four-meme' ? 'FourMemeStandIn' : 'FourMemeFirstStandIn')
    return {
      ...{ address, name: 'four.meme', design },
      list: async (token, { stage = 'trading', base = NATIVE, raised = RAISED } = {}) => {
        await approve(token, address)
        if (base !== NATIVE) await approve(base, address)
        const status = { trading: 0n, halted: 1n, graduated: 3n }[stage]
        await send(address, call(lists, 'list', [token, base, status, false, raised]), base === NATIVE ? raised : 0n)
      },
      vault: async () => address,
      suspend: (token, later = 0) => send(address, call(lists, 'suspend', [token, BigInt(later)])),
    }
  }
  const flap = async (): Promise<Launchpad> => {
    const address = await deploy('FlapStandIn')
    return {
      ...{ address, name: 'Flap', design: 'flap' },
      list: async (token, { stage = 'trading', raised = RAISED, tax = 0n } = {}) => {
        await approve(token, address)
        const status = { trading: 1n, halted: 5n, graduated: 4n }[stage]
        await send(address, call(lists, 'list', [token, status, raised, tax]), raised)
      },
      vault: async () => address,
      suspend: (token, later = 0) => send(address, call(lists, 'suspend', [token, BigInt(later)])),
    }
  }
  const virtuals = async (design: 'virtuals' | 'virtuals-2'): Promise<Launchpad> => {
    const contract = design === 'virtuals' ? 'VirtualsStandIn' : 'VirtualsLaterStandIn'
    const address = await deploy(contract, encodeAbiParameters([{ type: 'address' }], [weth]).slice(2))
    const router = await p.addressFrom(address, '0xf887ea40')
    return {
      ...{ address, name: 'Virtuals', design },
      list: async (token, { stage = 'trading', raised = RAISED } = {}) => {
        await approve(token, router)
        await approve(weth, router)
        await send(address, call(lists, 'list', [token, raised, stage === 'trading', stage === 'graduated']))
      },
      vault: async (token) => `0x${(await p.read(address, `0xf5dab711${pad(token)}`)).slice(2 + 128 + 24, 2 + 192)}`,
      suspend: () => send(address, call(lists, 'halt', [])),
    }
  }
  return {
    open: (design) => {
      if (design === 'flap') return flap()
      return design === 'virtuals' || design === 'virtuals-2' ? virtuals(design) : fourMeme(design)
    },
    restricted: async ({ address }, contract = 'CurveToken') => {
      const token = await deploy(contract)
      await send(token, call(parseAbi(['function hand(address)']), 'hand', [address]))
      await send(address, call(lists, 'list', [token, NATIVE, 0n, true, RAISED]), RAISED)
      return token
    },
    fillAt: ({ address }, token, most) => send(address, call(lists, 'fillAt', [token, most])),
    wreck: ({ address }, token) => send(address, call(lists, 'wreck', [token])),
    analysisOf: (...curves) => analysis(lab, curves),
    alone: (...curves) => analysis(simulatesNothing(lab), curves),
  }
}
