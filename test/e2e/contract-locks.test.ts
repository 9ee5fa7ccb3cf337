import { encodeAbiParameters, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactCode } from '../../deploy/eval/lab.ts'
import type { LiquidityRow } from '../../schema/block.ts'
import type { Locker } from '../../schema/registry/index.ts'
import type { ContractAnalysis } from '../../scorer/contract/analysis.ts'
import type { Requester } from '../../scorer/contract/chain.ts'
import { createPeople } from '../../scorer/contract/people/node.ts'
import { call, DEAD, E18, FULL, gives, installed, LIQUIDITY, openPools, type Pools, pad } from '../kit/pools.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'

const POSITION_MANAGER =
  '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'

let p: Pools
beforeAll(async () => {
  p = await openPools()
})
afterAll(() => p?.stop())

describe.skipIf(!installed(POSITION_MANAGER))('positions of @uniswap/v3-periphery (skipped when not installed)', () => {
  const manager = parseAbi([
    'function mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable',
    'function tokenOfOwnerByIndex(address,uint256) view returns (uint256)',
    'function transferFrom(address,address,uint256)',
    'function setApprovalForAll(address,bool)',
  ])
  const lock = parseAbi(['function lock(address,address,uint256,uint256)'])
  const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
  const later = () => BigInt(Math.floor(Date.now() / 1_000) + 400 * 86_400)
  let positions: string
  let uncx: string
  let team: string
  let locked: ContractAnalysis
  /** The same where the node gives no logs, and with tables behind it. */
  let forgetful: ContractAnalysis
  let indexed: ContractAnalysis
  let opened: TestStore
  afterAll(() => opened?.close())
  beforeAll(async () => {
    const one = { type: 'address' } as const
    const args = encodeAbiParameters([one, one, one], [p.factory, p.weth, p.from])
    positions = await p.lab.deploy(p.from, `${artifactCode(POSITION_MANAGER)}${args.slice(2)}`)
    uncx = await p.deploy('PositionLockerStandIn')
    team = await p.deploy('DepositsStandIn')
    const lockers: Locker[] = [
      { address: uncx, name: 'UNCX', kind: 'v3' },
      { address: team, name: 'Team Finance', kind: 'v2' },
    ]
    const exchange = { kind: 'v3', factory: p.factory, by: 'fee', keys: [3_000] } as const
    const more = { positions: [positions], lockers }
    locked = p.analysisWith(exchange, more)
    opened = await openTestStore()
    const rpc: Requester = {
      request: (args) =>
        args.method === 'eth_getLogs' ? Promise.reject(new Error('range too wide')) : p.lab.request(args),
    }
    forgetful = p.analysisWith(exchange, more, { rpc })
    indexed = p.analysisWith(exchange, more, { people: createPeople({ network: 'ETH', store: opened.store }), rpc })
    await p.approve(p.weth, positions)
  })
  /** A position of the whole pool, held by its giver. */
  const position = async () => {
    const token = await p.tokenOf('Impersonal')
    const pool = await p.poolOf(token, 3_000)
    await p.approve(token, positions)
    const [token0, token1, a0, a1] =
      token < p.weth ? [token, p.weth, 500_000n * E18, 20n * E18] : [p.weth, token, 20n * E18, 500_000n * E18]
    const args = [token0, token1, 3_000, -FULL, FULL, a0, a1, 0n, 0n, p.from, later()]
    const minted = await p.send(positions, call(manager, 'mint', [args]))
    const held = BigInt(await p.read(positions, `0x70a08231${pad(p.from)}`))
    const id = BigInt(await p.read(positions, call(manager, 'tokenOfOwnerByIndex', [p.from, held - 1n])))
    return { token, pool, id, minted: minted.transactionHash }
  }
  const isLocked = async (token: string) => (await locked(token))?.indicators.lp_holders_locked

  test('held by a person is not locked; burned is', async () => {
    const { token, id } = await position()
    expect(await isLocked(token)).toBe(false)
    await p.send(positions, call(manager, 'transferFrom', [p.from, DEAD, id]))
    expect(await isLocked(token)).toBe(true)
  })
  const lockBy = async (locker: string, until: bigint) => {
    const { token, pool, id } = await position()
    await p.send(positions, call(manager, 'setApprovalForAll', [locker, true]))
    const data =
      locker === team
        ? call(deposit, 'lock', [positions, id, until, true])
        : call(lock, 'lock', [positions, pool, id, until])
    await p.send(locker, data)
    return { token, pool }
  }
  test('held by a registered locker for a year is locked, for ten days it is not', async () => {
    expect(await isLocked((await lockBy(uncx, later())).token)).toBe(true)
    expect(await isLocked((await lockBy(uncx, later() - 390n * 86_400n)).token)).toBe(false)
    expect(await isLocked((await lockBy(team, later())).token)).toBe(true)
  })
  test('held by a contract that only looks like a locker is not locked', async () => {
    expect(await isLocked((await lockBy(await p.deploy('PositionLockerStandIn'), later())).token)).toBe(false)
  })
  test('a locked crumb of the liquidity does not lock the rest', async () => {
    const { token, pool } = await lockBy(uncx, later())
    await p.send(p.provider, call(gives, 'mint3', [pool, -FULL, FULL, LIQUIDITY / 2n]))
    expect(await isLocked(token)).toBe(false)
  })
  test('positions of long ago are known where there are tables, and never taken for locked where there are none', async () => {
    const { token, pool, id, minted } = await position()
    await p.send(positions, call(manager, 'transferFrom', [p.from, DEAD, id]))
    const row: LiquidityRow = {
      network: 'ETH',
      block_number: 1,
      block_time: Math.floor(Date.now() / 1_000) - 90 * 86_400,
      position: '1',
      tx_hash: minted,
      pool,
      event: 'add',
      provider: p.from,
      owner: positions,
      amount0: '1',
      amount1: '1',
      liquidity: '1',
    }
    await opened.store.insert('liquidity', `${JSON.stringify(row)}\n`)
    expect((await forgetful(token))?.indicators.lp_holders_locked).toBe(false)
    expect((await indexed(token))?.indicators.lp_holders_locked).toBe(true)
  })
})

describe('token locks of a V2 pair', () => {
  const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
  const DAY = 86_400n
  let team: string
  let analyse: ContractAnalysis
  beforeAll(async () => {
    team = await p.deploy('DepositsStandIn')
    const v2 = p.registry.exchanges.find(({ kind }) => kind === 'v2')
    if (!v2) throw new Error('ETH has no V2 exchange')
    analyse = p.analysisWith(v2, { lockers: [{ address: team, name: 'Team Finance', kind: 'v2' }] })
  })
  const lockAt = async (locker: string, days: bigint) => {
    const token = await p.tokenOf('Impersonal')
    const pair = await p.lab.addLiquidity('ETH', p.from, token, 500_000n * E18, 20n * E18)
    await p.approve(pair, locker)
    const held = BigInt(await p.read(pair, `0x70a08231${pad(p.from)}`))
    const until = BigInt(Math.floor(Date.now() / 1_000)) + days * DAY
    await p.send(locker, call(deposit, 'lock', [pair, held, until, false]))
    return analyse(token)
  }
  test('Team Finance tells the date to those who know the depositor', async () => {
    const report = await lockAt(team, 400n)
    expect(report?.indicators.lp_holders_locked).toBe(true)
    expect((await lockAt(team, 10n))?.indicators.lp_holders_locked).toBe(false)
  })
  test('the same code at an address nobody registered locks nothing', async () => {
    expect((await lockAt(await p.deploy('DepositsStandIn'), 400n))?.indicators.lp_holders_locked).toBe(false)
  })
})
