import { encodeAbiParameters, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiquidityRow } from '../../../../schema/block.ts'
import type { Locker } from '../../../../schema/registry/index.ts'
import type { ContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../../scorer/contracts/chain/call.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import { artifactCode } from '../../../kit/contracts/markets/exchange-chain.ts'
import {
  call,
  DEAD,
  E18,
  FULL,
  gives,
  installed,
  LIQUIDITY,
  openPools,
  type Pools,
  pad,
  word,
} from '../../../kit/contracts/markets/pools.ts'
import { NATIVE, openV4, POOL_MANAGER, type V4Listing, type V4Pools } from '../../../kit/contracts/markets/pools-v4.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'

const POSITION_MANAGER =
  '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'

/** A contract of a launchpad that keeps positions for ever. */
const KEEPER = `0x${'c1'.repeat(20)}`

let p: Pools
let opened: TestStore
/** The node without logs. */
let forgetting: Requester
beforeAll(async () => {
  ;[p, opened] = await Promise.all([openPools(), openTestStore()])
  forgetting = {
    request: (args) =>
      args.method === 'eth_getLogs' ? Promise.reject(new Error('range too wide')) : p.lab.request(args),
  }
})
afterAll(async () => {
  await p?.stop()
  await opened?.close()
})

/** What the tables say of liquidity that was added months ago. */
const remember = (pool: string, owner: string, txHash: string) => {
  const row: LiquidityRow = {
    network: 'ETH',
    block_number: 1,
    block_time: Math.floor(Date.now() / 1_000) - 90 * 86_400,
    position: '1',
    tx_hash: txHash,
    pool,
    event: 'add',
    provider: p.from,
    owner,
    amount0: '1',
    amount1: '1',
    liquidity: '1',
  }
  return opened.store.insert('liquidity', `${JSON.stringify(row)}\n`)
}

describe.skipIf(!installed(POSITION_MANAGER))('positions of @uniswap/v3-periphery (skipped when not installed)', () => {
  const manager = parseAbi([
    'function mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable',
    'function tokenOfOwnerByIndex(address,uint256) view returns (uint256)',
    'function transferFrom(address,address,uint256)',
    'function setApprovalForAll(address,bool)',
  ])
  const facts = parseAbi(['function positions(uint256)'])
  const launch = parseAbi(['function launch(address,address[2],uint256[2],bytes,uint256,address)'])
  const shedAbi = parseAbi(['function open(address,uint256,uint128,address)'])
  const lock = parseAbi(['function lock(address,address,uint256,uint256)'])
  const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
  const later = () => BigInt(Math.floor(Date.now() / 1_000) + 400 * 86_400)
  let positions: string
  let uncx: string
  let team: string
  let goplus: string
  let maker: string
  let voter: string
  let locked: ContractAnalysis
  /** The same where the node gives no logs, and with tables behind it. */
  let forgetful: ContractAnalysis
  let indexed: ContractAnalysis
  beforeAll(async () => {
    const one = { type: 'address' } as const
    const args = encodeAbiParameters([one, one, one], [p.factory, p.weth, p.from])
    positions = await p.lab.deploy(p.from, `${artifactCode(POSITION_MANAGER)}${args.slice(2)}`)
    uncx = await p.deploy('PositionLockerStandIn')
    team = await p.deploy('DepositsStandIn')
    goplus = await p.deploy('GoPlusPositionsStandIn')
    maker = await p.deploy('LockMakerStandIn')
    voter = await p.deploy('VoterStandIn')
    const lockers: Locker[] = [
      { address: uncx, name: 'UNCX', kind: 'v3' },
      { address: goplus, name: 'GoPlus positions', kind: 'v3' },
      { address: team, name: 'Team Finance', kind: 'v2' },
      { address: KEEPER, name: 'Clanker', kind: 'v3', forever: true },
      { address: maker, name: 'Clanker', kind: 'v3', makes: true },
    ]
    const exchange = { kind: 'v3', factory: p.factory, by: 'fee', keys: [3_000] } as const
    const more = { positions: [positions], lockers, voters: [voter] }
    locked = p.analysisWith(exchange, more)
    const rpc = forgetting
    forgetful = p.analysisWith(exchange, more, { rpc })
    indexed = p.analysisWith(exchange, more, {
      stakeholders: createStakeholders({ network: 'ETH', store: opened.store }),
      rpc,
    })
    await p.approve(p.weth, positions)
  })
  /** A pool without liquidity, and what opens a position of the whole of it. */
  const listing = async (owner: string) => {
    const token = await p.tokenOf('Impersonal')
    const pool = await p.poolOf(token, 3_000)
    const [amount, coins] = [500_000n * E18, 20n * E18]
    const pair = token < p.weth ? [token, p.weth] : [p.weth, token]
    const given = token < p.weth ? [amount, coins] : [coins, amount]
    const mint = call(manager, 'mint', [[...pair, 3_000, -FULL, FULL, ...given, 0n, 0n, owner, later()]])
    return { token, pool, pair, given, mint }
  }
  /** A position of the whole pool, held by its giver. */
  const position = async () => {
    const { token, pool, mint } = await listing(p.from)
    await p.approve(token, positions)
    const minted = await p.send(positions, mint)
    const held = BigInt(await p.read(positions, `0x70a08231${pad(p.from)}`))
    const id = BigInt(await p.read(positions, call(manager, 'tokenOfOwnerByIndex', [p.from, held - 1n])))
    return { token, pool, id, minted: minted.transactionHash }
  }
  const isLocked = async (token: string) => (await locked(token))?.indicators.lp_holders_locked

  test('held by a person is not locked; burned is, and so is what a launchpad keeps for ever', async () => {
    for (const keeper of [DEAD, KEEPER]) {
      const { token, id } = await position()
      expect(await isLocked(token)).toBe(false)
      await p.send(positions, call(manager, 'transferFrom', [p.from, keeper, id]))
      const report = await locked(token)
      expect(report?.indicators.lp_holders_locked).toBe(true)
      const [tag, locks] =
        keeper === DEAD ? ['burned', []] : ['locker', [{ share: 1, until: '9999-12-31T23:59:59.000Z' }]]
      expect(report?.facts.liquidityHolders).toEqual({
        ...{ top: [{ address: keeper.toLowerCase(), share: 1, contract: false, tags: [tag], locks }], why: null },
      })
    }
  })
  test.each([
    ['the maker', true],
    ['a guest', false],
  ])('kept by a contract that anybody may call, it is still that of %s', async (whose, removed) => {
    const made = await position()
    const { token } = made
    const shed = await p.deploy('PositionShed')
    const [guest = '', caller = ''] = [p.lab.accounts[6], p.lab.accounts[7]]
    const giver = whose === 'the maker' ? p.from : guest
    const byGuest = (to: string, data: string, value = 0n) => p.lab.send({ from: guest, to, data, value })
    let { id } = made
    if (giver === guest) {
      await p.send(token, `0xa9059cbb${pad(guest)}${word(400_000n * E18)}`)
      await byGuest(p.weth, '0xd0e30db0', 16n * E18)
      for (const asset of [token, p.weth]) await byGuest(asset, `0x095ea7b3${pad(positions)}${word(10n ** 30n)}`)
      const amounts = token < p.weth ? [400_000n * E18, 16n * E18] : [16n * E18, 400_000n * E18]
      const sorted = token < p.weth ? [token, p.weth] : [p.weth, token]
      await byGuest(
        positions,
        call(manager, 'mint', [[...sorted, 3_000, -FULL, FULL, ...amounts, 0n, 0n, guest, later()]]),
      )
      id = BigInt(await p.read(positions, call(manager, 'tokenOfOwnerByIndex', [guest, 0n])))
    }
    const described = await p.read(positions, call(facts, 'positions', [id]))
    const liquidity = BigInt(`0x${described.slice(2 + 7 * 64, 2 + 8 * 64)}`)
    await p.lab.send({ from: giver, to: positions, data: call(manager, 'transferFrom', [giver, shed, id]) })
    const open = call(shedAbi, 'open', [positions, id, (liquidity * 995n) / 1_000n, caller])
    await p.lab.send({ from: caller, to: shed, data: open })
    const report = await locked(token)
    expect(report?.indicators.is_in_dex).toBe(1)
    expect(report?.reasons.fraud.some(({ code }) => code === 'liquidity_removed')).toBe(removed)
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
    expect(await isLocked((await lockBy(goplus, later())).token)).toBe(true)
    expect(await isLocked((await lockBy(goplus, later() - 390n * 86_400n)).token)).toBe(false)
  })
  test('in a contract that a registered factory made for it, it is locked until that contract ends, in no other', async () => {
    const launchBy = async (factory: string, until: bigint, keeper: string = NATIVE) => {
      const { token, pair, given, mint } = await listing(factory)
      for (const asset of pair) await p.approve(asset, factory)
      await p.send(factory, call(launch, 'launch', [positions, pair, given, mint, until, keeper]))
      return isLocked(token)
    }
    expect(await launchBy(maker, later())).toBe(true)
    expect(await launchBy(maker, later() - 390n * 86_400n)).toBe(false)
    // Anybody can write the same factory, and whoever launches may put the position beside the lock that is announced.
    const lookalike = await p.deploy('LockMakerStandIn')
    expect(await launchBy(lookalike, later())).toBe(false)
    expect(await launchBy(maker, later(), lookalike)).toBe(false)
  })
  test('staked in the gauge of its pool it is not locked, and belongs to who staked it', async () => {
    const { token, pool, id } = await position()
    const gauge = await p.deploy('GaugeStandIn')
    await p.send(positions, call(manager, 'setApprovalForAll', [gauge, true]))
    await p.send(gauge, call(parseAbi(['function deposit(address,uint256)']), 'deposit', [positions, id]))
    const providers = async () => {
      const report = await locked(token)
      expect(report?.indicators.lp_holders_locked).toBe(false)
      return report?.reasons.fraud.find(({ code }) => code === 'liquidity_providers')?.evidence
    }
    // Whoever calls itself a gauge is one holder more.
    expect(await providers()).toEqual([`${gauge} holds 100%`])
    await p.send(voter, call(parseAbi(['function set(address,address)']), 'set', [pool, gauge]))
    expect(await providers()).toEqual([`${p.from.toLowerCase()} holds 100%`])
  })
  test('in a registered locker whose date cannot be read it is neither locked nor free', async () => {
    const { token, id } = await position()
    await p.send(positions, call(manager, 'transferFrom', [p.from, uncx, id]))
    const report = await locked(token)
    expect(report?.indicators.lp_holders_locked).toBe(false)
    expect(report?.unknowns.lp_holders_locked).toBe('a locker holds liquidity whose unlock date could not be read')
    expect(report?.reasons.risk.map(({ code }) => code)).not.toContain('liquidity_unlocked')
    expect(report?.facts.liquidityHolders.top).toMatchObject([
      { address: uncx, share: 1, tags: ['locker'], locks: null },
    ])
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
    await remember(pool, positions, minted)
    expect((await forgetful(token))?.indicators.lp_holders_locked).toBe(false)
    expect((await indexed(token))?.indicators.lp_holders_locked).toBe(true)
  })
})

describe.skipIf(!installed(POOL_MANAGER))('positions of @uniswap/v4-core (skipped when not installed)', () => {
  const manager = parseAbi([
    'function mint(address,(address,address,uint24,int24,address),int24,int24,int256) payable',
    'function transferFrom(address,address,uint256)',
    'function setApprovalForAll(address,bool)',
    'function nextTokenId() view returns (uint256)',
    'function modify4(address,(address,address,uint24,int24,address),(int24,int24,int256,bytes32)) payable',
  ])
  const deposit = parseAbi(['function lock(address,uint256,uint256,bool)'])
  const later = () => BigInt(Math.floor(Date.now() / 1_000) + 400 * 86_400)
  const lockedShare = async (token: string) => {
    const report = await analyse(token)
    return { locked: report?.indicators.lp_holders_locked, unknown: report?.unknowns.lp_holders_locked }
  }
  const [YES, NO] = [
    { locked: true, unknown: undefined },
    { locked: false, unknown: undefined },
  ]
  let v4: V4Pools
  let positions: string
  let team: string
  let goplus: string
  let analyse: ContractAnalysis
  /** The transaction of the newest position. */
  let minted = ''
  beforeAll(async () => {
    v4 = await openV4(p)
    positions = await p.deploy('PositionManagerStandIn')
    team = await p.deploy('DepositsStandIn')
    goplus = await p.deploy('GoPlusV4StandIn')
    const lockers: Locker[] = [
      { address: team, name: 'Team Finance', kind: 'v2' },
      { address: goplus, name: 'GoPlus V4', kind: 'v4' },
    ]
    analyse = p.analysisWith({ kind: 'v4', manager: v4.manager }, { positions: [positions], lockers })
    await p.approve(p.weth, positions)
  })
  const mint = async ({ key }: V4Listing, lower: number, upper: number, liquidity: bigint) => {
    const id = BigInt(await p.read(positions, call(manager, 'nextTokenId', [])))
    const data = call(manager, 'mint', [v4.manager, key, lower, upper, liquidity])
    minted = (await p.send(positions, data, key[0] === NATIVE ? 21n * E18 : 0n)).transactionHash
    return id
  }
  /** A pool whose whole liquidity is one position, held by its giver. */
  const position = async (against: string = NATIVE, liquidity = LIQUIDITY) => {
    const listing = await v4.list('Impersonal', against, { empty: true })
    await p.approve(listing.token, positions)
    return { ...listing, id: await mint(listing, -listing.edge, listing.edge, liquidity), listing }
  }
  const moveTo = (to: string, id: bigint) => p.send(positions, call(manager, 'transferFrom', [p.from, to, id]))
  const lockBy = async (locker: string, until: bigint) => {
    const made = await position()
    await p.send(positions, call(manager, 'setApprovalForAll', [locker, true]))
    await p.send(locker, call(deposit, 'lock', [positions, made.id, until, true]))
    return made
  }

  test.each(['the native coin', 'the wrapped coin'])(
    'held by a person is not locked; burned is (against %s)',
    async (against) => {
      const { token, id } = await position(against === 'the native coin' ? NATIVE : p.weth)
      expect(await lockedShare(token)).toEqual(NO)
      await moveTo(DEAD, id)
      expect(await lockedShare(token)).toEqual(YES)
    },
  )
  test('held by a registered locker for a year is locked, for ten days it is not', async () => {
    expect(await lockedShare((await lockBy(team, later())).token)).toEqual(YES)
    expect(await lockedShare((await lockBy(team, later() - 390n * 86_400n)).token)).toEqual(NO)
    expect(await lockedShare((await lockBy(goplus, later())).token)).toEqual(YES)
    expect(await lockedShare((await lockBy(goplus, later() - 390n * 86_400n)).token)).toEqual(NO)
  })
  test('UNCX announces what it locked, and answers until when', async () => {
    const uncx = await p.deploy('UncxV4StandIn')
    const lockers: Locker[] = [{ address: uncx, name: 'UNCX V4', kind: 'v4' }]
    const known = { positions: [positions], lockers }
    const exchange = { kind: 'v4', manager: v4.manager } as const
    const lock = async (until: bigint) => {
      const made = await position()
      await p.send(positions, call(manager, 'setApprovalForAll', [uncx, true]))
      const abi = parseAbi(['function lock(address,uint256,uint256,bytes32)'])
      await p.send(uncx, call(abi, 'lock', [positions, made.id, until, made.listing.id]))
      return made.token
    }
    const long = await lock(later())
    const short = await lock(later() - 390n * 86_400n)
    const by = p.analysisWith(exchange, known)
    expect((await by(long))?.indicators.lp_holders_locked).toBe(true)
    expect((await by(short))?.indicators.lp_holders_locked).toBe(false)
    await p.send(uncx, call(parseAbi(['function extend(uint256,uint256)']), 'extend', [2n, later()]))
    expect((await by(short))?.indicators.lp_holders_locked).toBe(true)
    // What nobody answers for is not locked.
    const mute: Requester = {
      request: (args) =>
        args.method === 'eth_getLogs' && JSON.stringify(args.params).includes(uncx)
          ? Promise.reject(new Error('range too large'))
          : p.lab.request(args),
    }
    const unanswered = p.analysisWith(exchange, known, { rpc: mute })
    expect((await unanswered(long))?.indicators.lp_holders_locked).toBe(false)
  })
  test('held by a contract that only looks like a locker, or given to the pool by a contract itself, is not locked', async () => {
    const impostor = await p.deploy('DepositsStandIn')
    expect(await lockedShare((await lockBy(impostor, later())).token)).toEqual(NO)
    expect(await lockedShare((await v4.list('Impersonal', NATIVE)).token)).toEqual(NO)
  })
  test('a position of a manager nobody registered is held by that manager, whoever owns its NFT', async () => {
    const { token, id } = await position()
    await moveTo(DEAD, id)
    const other = p.analysisWith({ kind: 'v4', manager: v4.manager }, { positions: [], lockers: [] })
    expect((await other(token))?.indicators.lp_holders_locked).toBe(false)
  })
  test('a burned part of the liquidity does not lock the rest', async () => {
    const { token, id, give } = await position()
    await moveTo(DEAD, id)
    await give(LIQUIDITY / 2n)
    expect(await lockedShare(token)).toEqual(NO)
  })
  test('burning a position full of the token itself locks nothing of what can be run away with', async () => {
    const { token, listing } = await position(NATIVE, LIQUIDITY / 50n)
    // Below the price lie tokens only: some 900,000 of them, nominally ninety times what the pool holds.
    const tick = Math.floor(Math.log(25_000) / Math.log(1.0001) / 60) * 60
    await moveTo(DEAD, await mint(listing, tick - 120, tick - 60, LIQUIDITY * 600n))
    expect(await lockedShare(token)).toEqual(NO)
  })
  test('what lies beyond the ticks that were read does not count as locked', async () => {
    const listing = await v4.list('Impersonal', NATIVE, { fee: 100, spacing: 1, empty: true })
    await p.approve(listing.token, positions)
    // Half a coin over the whole range, and twenty where the coin would cost ten thousand times as many tokens.
    await mint(listing, -listing.edge, listing.edge, LIQUIDITY / 40n)
    const far = Math.floor(Math.log(25_000) / Math.log(1.0001)) + 95_000
    await moveTo(DEAD, await mint(listing, far, far + 1_000, LIQUIDITY * 2_300n))
    expect((await analyse(listing.token))?.indicators.liquidity).toBeCloseTo(0.5, 1)
    expect(await lockedShare(listing.token)).toEqual(NO)
  })
  test('a position that was emptied does not count against the one that was burned', async () => {
    const { token, id, listing, edge } = await position()
    await moveTo(DEAD, id)
    const mine = await mint(listing, -edge, edge, LIQUIDITY / 2n)
    expect(await lockedShare(token)).toEqual(NO)
    const out = call(manager, 'modify4', [v4.manager, listing.key, [-edge, edge, -LIQUIDITY / 2n, `0x${word(mine)}`]])
    await p.send(positions, out)
    expect(await lockedShare(token)).toEqual(YES)
  })
  test('who holds the NFT provides the liquidity, not who once gave it', async () => {
    const { token, id } = await position()
    const providers = async () =>
      (await analyse(token))?.reasons.fraud.find(({ code }) => code === 'liquidity_providers')?.evidence
    expect(await providers()).toEqual([`${p.from.toLowerCase()} holds 100%`])
    const heir = p.lab.accounts[5] ?? ''
    await moveTo(heir, id)
    expect(await providers()).toEqual([`${heir.toLowerCase()} holds 100%`])
  })
  test.each([
    ['the maker gave the NFT to', true],
    ['gave it himself, a guest', false],
  ])('what is removed by whom %s is the maker’s: %s', async (_, given) => {
    const { token, id, listing, edge } = await position()
    const [fresh = '', guest = ''] = [p.lab.accounts[8], p.lab.accounts[6]]
    const [holder, amount] = given ? [fresh, LIQUIDITY] : [guest, (LIQUIDITY * 4n) / 5n]
    let taken = id
    if (given) await moveTo(fresh, id)
    else {
      taken = BigInt(await p.read(positions, call(manager, 'nextTokenId', [])))
      await p.send(token, `0xa9059cbb${pad(guest)}${word(450_000n * E18)}`)
      await p.lab.send({ from: guest, to: token, data: `0x095ea7b3${pad(positions)}${word(10n ** 30n)}` })
      const data = call(manager, 'mint', [v4.manager, listing.key, -edge, edge, amount])
      await p.lab.send({ from: guest, to: positions, data, value: 18n * E18 })
    }
    const change = [-edge, edge, (-amount * 995n) / 1_000n, `0x${word(taken)}`]
    const out = call(manager, 'modify4', [v4.manager, listing.key, change])
    await p.lab.send({ from: holder, to: positions, data: out })
    const report = await analyse(token)
    expect(report?.indicators.is_in_dex).toBe(1)
    expect(report?.reasons.fraud.some(({ code }) => code === 'liquidity_removed')).toBe(given)
  })
  test('positions of long ago are known where there are tables, and unknown where there are none', async () => {
    const { token, id, listing } = await position()
    await moveTo(DEAD, id)
    await remember(listing.id, positions, minted)
    const exchange = { kind: 'v4', manager: v4.manager } as const
    const stakeholders = createStakeholders({ network: 'ETH', store: opened.store })
    const forgetful = p.analysisWith(exchange, { positions: [positions] }, { rpc: forgetting })
    const indexed = p.analysisWith(exchange, { positions: [positions] }, { stakeholders, rpc: forgetting })
    expect((await forgetful(token))?.unknowns.lp_holders_locked).toBeDefined()
    expect(await indexed(token)).toMatchObject({ indicators: { lp_holders_locked: true } })
  })
  test('without the receipts nobody knows who holds it', async () => {
    const { token, id } = await position()
    await moveTo(DEAD, id)
    const rpc: Requester = {
      request: (args) => (args.method === 'eth_getTransactionReceipt' ? Promise.resolve(null) : p.lab.request(args)),
    }
    const blind = p.analysisWith({ kind: 'v4', manager: v4.manager }, { positions: [positions] }, { rpc })
    const report = await blind(token)
    expect(report?.indicators.lp_holders_locked).toBe(false)
    expect(report?.unknowns.lp_holders_locked).toBeDefined()
  })
})
