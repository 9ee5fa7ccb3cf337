/** Pools of the real V4 manager. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { encodeAbiParameters, parseAbi } from 'viem'
import { v4PoolId } from '../../../../scorer/contracts/market/pools/v4.ts'
import { call, E18, gives, LIQUIDITY, type Pools, ROOT } from './pools.ts'

export const POOL_MANAGER = '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json'
export const NATIVE = `0x${'0'.repeat(40)}`
export const NO_SALT = `0x${'0'.repeat(64)}`

/** Currencies, fee, tick spacing and hooks, as arguments of the manager's functions. */
export type PoolKey = readonly [string, string, number, number, string]
export type V4Listing = {
  token: string
  key: PoolKey
  id: string
  /** Outer tick of the whole range. */
  edge: number
  /** Adds liquidity over the whole range through `Provider`, which holds it, or withdraws it. */
  give: (delta: bigint) => Promise<unknown>
}
export type V4Pools = {
  manager: string
  initialize: (key: PoolKey, token: string, by?: string) => Promise<unknown>
  /** A hook that takes the token until a block, owned by an account. Its address states that it is called before swaps. */
  hook: (token: string, until: number, by?: string) => Promise<string>
  /** A token, by its name or address, and its initialised pool against `against` with 20 coins and 500,000 tokens, or empty. */
  list: (
    name: string,
    against: string,
    options?: { fee?: number; spacing?: number; empty?: boolean; hooks?: string; by?: string },
  ) => Promise<V4Listing>
}

const hookAbi = parseAbi(['function take(address,uint256)'])
const managerAbi = parseAbi(['function initialize((address,address,uint24,int24,address),uint160)'])

export const openV4 = async ({ lab, from, send, deploy, provider, tokenOf, setPool }: Pools): Promise<V4Pools> => {
  const owner = encodeAbiParameters([{ type: 'address' }], [from])
  const artifact = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(POOL_MANAGER), 'utf8'))
  const manager = await lab.deploy(from, `${artifact.bytecode.object}${owner.slice(2)}`)
  const initialize: V4Pools['initialize'] = (key, token, by = from) => {
    const root = token === key[0] ? ROOT.tokenFirst : ROOT.tokenSecond
    return lab.send({ from: by, to: manager, data: call(managerAbi, 'initialize', [key, root]) })
  }
  let hooks = 0
  return {
    manager,
    initialize,
    hook: async (token, until, by = from) => {
      const address = `0x${(0x0c0ffee000n + BigInt(++hooks)).toString(16).padStart(36, '0')}0080`
      await lab.ask('anvil_setCode', address, await lab.ask('eth_getCode', await deploy('HookStandIn'), 'latest'))
      await lab.send({ from: by, to: address, data: call(hookAbi, 'take', [token, BigInt(until)]) })
      return address
    },
    list: async (name, against, { fee = 3_000, spacing = 60, empty = false, hooks = NATIVE, by = from } = {}) => {
      const token = name.startsWith('0x') ? name : await tokenOf(name)
      const [token0, token1] = token < against ? [token, against] : [against, token]
      const key = [token0, token1, fee, spacing, hooks] as const
      await initialize(key, token, by)
      const edge = Math.floor(887_272 / spacing) * spacing
      const give = (delta: bigint) =>
        send(
          provider,
          call(gives, 'modify4', [manager, key, [-edge, edge, delta, NO_SALT]]),
          delta > 0n && against === NATIVE ? 21n * E18 : 0n,
        )
      if (!empty) await give(LIQUIDITY)
      await setPool(name, token, manager)
      return { token, key, id: v4PoolId({ token0, token1, fee, tickSpacing: spacing, hooks }), edge, give }
    },
  }
}
