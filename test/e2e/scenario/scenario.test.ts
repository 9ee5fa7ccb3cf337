import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createPublicClient, erc20Abi, http, parseAbi, parseAbiItem, toFunctionSelector } from 'viem'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import compiled from '../../../deploy/demo/contracts/contracts.json' with { type: 'json' }
import { ABI, ADDRESSES } from '../../../deploy/demo/contracts/contracts.ts'
import { type Devnet, playScenario, type ScenarioResult, startDevnet } from '../../../deploy/demo/index.ts'
import { planScenario, type ScenarioPlan } from '../../../deploy/demo/play.ts'
import {
  type ActorName,
  type Actors,
  SHOPPERS,
  TRADERS,
  VETERANS,
  VICTIMS,
} from '../../../deploy/demo/scenario/actors.ts'
import { createLog } from '../../../platform/context/log.ts'

const DAY_S = 86_400n
const ETHER = 10n ** 18n
const dataDir = mkdtempSync(join(tmpdir(), 'assay-scenario-'))
const stop = new AbortController()
let devnet: Devnet
let result: ScenarioResult
let actors: Actors
let story: ScenarioPlan
let client: ReturnType<typeof connect>

const connect = (url: string) => createPublicClient({ chain: mainnet, transport: http(url, { batch: true }) })
const timeOf = async (blockNumber: bigint) => (await client.getBlock({ blockNumber })).timestamp
const all = { fromBlock: 0n, toBlock: 'latest' } as const
const sent = (name: ActorName) => client.getTransactionCount({ address: actors[name] })
const holds = (token: Address, owner: Address) =>
  client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
const swap = parseAbiItem(
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
)

beforeAll(async () => {
  const log = createLog('error')
  devnet = await startDevnet({ dataDir, log, signal: stop.signal, blockTimeMs: 1_000 })
  result = await playScenario({ rpcUrl: devnet.rpcUrl, dataDir, log })
  client = connect(devnet.rpcUrl)
  const entries = new Map(result.entries.map((entry) => [entry.name, entry.address]))
  const accounts = (await client.request({ method: 'eth_accounts' } as never)) as Address[]
  const { ACTORS } = await import('../../../deploy/demo/scenario/actors.ts')
  actors = Object.fromEntries(ACTORS.map((name, index) => [name, accounts[index]!.toLowerCase()])) as Actors
  for (const [name, address] of entries) expect(actors[name as ActorName]).toBe(address)
  story = planScenario(actors)
})

afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('every function in the scenario exists in one of our contracts or the router', () => {
  const own = Object.values(compiled.contracts).flatMap(({ abi }) =>
    (abi as { type: string }[])
      .filter((item) => item.type === 'function')
      .map((item) => toFunctionSelector(item as never)),
  )
  const foreign = /^(add|remove)Liquidity|^swap/
  const unknown = ABI.filter((item) => !foreign.test(item.name) && !own.includes(toFunctionSelector(item)))
  expect(unknown).toEqual([])
})

test('a year of history ends now, with 300 to 1500 transactions of which only the intended ones failed', async () => {
  const head = await client.getBlock()
  const first = await client.getBlock({ blockNumber: 1n })
  expect(Math.abs(Number(head.timestamp) - Date.now() / 1000)).toBeLessThan(60)
  expect(head.timestamp - first.timestamp).toBeGreaterThan(395n * DAY_S)
  const numbers = Array.from({ length: Number(head.number) }, (_, index) => `0x${(index + 1).toString(16)}`)
  const blocks = (await Promise.all(
    numbers.map((number) => client.request({ method: 'eth_getBlockReceipts', params: [number] } as never)),
  )) as { status: string }[][]
  const receipts = blocks.flat()
  expect(receipts).toHaveLength(result.transactions)
  expect(receipts.length).toBeGreaterThanOrEqual(300)
  expect(receipts.length).toBeLessThanOrEqual(1500)
  const meant = story.blocks.flatMap((block) => block.transactions.filter((transaction) => transaction.reverts))
  expect(receipts.filter((receipt) => receipt.status === '0x0')).toHaveLength(meant.length)
})

test('ordinary wallets are months old with more than ten transactions, and the newcomer is not', async () => {
  const old: ActorName[] = [
    ...VETERANS,
    ...TRADERS,
    ...SHOPPERS.slice(0, 4),
    ...VICTIMS,
    'delisted',
    'released',
    'mixer-once',
    'mixer-dusted',
    'arbitrage-bot',
    'payroll',
    'exchange',
  ]
  const counts = await Promise.all(old.map(async (name) => [name, await sent(name)] as const))
  expect(counts.filter(([, count]) => count < 15)).toEqual([])
  expect(await sent('newcomer')).toBe(3)
})

test('the oracle lists only the sanctioned wallet, after removing the delisted one', async () => {
  const is = (address: Address) =>
    client.readContract({
      address: ADDRESSES.sanctionsOracle,
      abi: parseAbi(['function isSanctioned(address) view returns (bool)']),
      functionName: 'isSanctioned',
      args: [address],
    })
  expect(await Promise.all([is(actors.sanctioned), is(actors.delisted), is(actors['trader-1'])])).toEqual([
    true,
    false,
    false,
  ])
  const logs = await client.getLogs({
    ...all,
    address: ADDRESSES.sanctionsOracle,
    events: parseAbi([
      'event SanctionedAddressesAdded(address[] addrs)',
      'event SanctionedAddressesRemoved(address[] addrs)',
    ]),
  })
  const touched = logs.flatMap((log) => log.args.addrs?.map((address) => `${log.eventName} ${address.toLowerCase()}`))
  expect(touched).toContain(`SanctionedAddressesAdded ${actors.delisted}`)
  expect(touched).toContain(`SanctionedAddressesRemoved ${actors.delisted}`)
})

test('the issuer froze two wallets and released one', async () => {
  const logs = await client.getLogs({
    ...all,
    address: ADDRESSES.usdc,
    events: parseAbi(['event Blacklisted(address indexed _account)', 'event UnBlacklisted(address indexed _account)']),
  })
  expect(logs.map((log) => [log.eventName, log.args._account?.toLowerCase()])).toEqual([
    ['Blacklisted', actors.released],
    ['UnBlacklisted', actors.released],
    ['Blacklisted', actors.frozen],
  ])
})

test('at least a quarter of the value of the habitual mixer user went through the mixer, and almost nothing of others', async () => {
  const events = parseAbi([
    'event Deposit(bytes32 indexed commitment, uint32 leafIndex, uint256 timestamp)',
    'event Withdrawal(address to, bytes32 nullifierHash, address indexed relayer, uint256 fee)',
  ])
  const logs = await client.getLogs({ ...all, address: ADDRESSES.mixerPool, events })
  const depositors = await Promise.all(
    logs
      .filter((log) => log.eventName === 'Deposit')
      .map(async (log) => (await client.getTransaction({ hash: log.transactionHash })).from),
  )
  const withdrawn = logs.flatMap((log) => (log.eventName === 'Withdrawal' ? [log.args.to?.toLowerCase()] : []))
  const deposits = (name: ActorName) => depositors.filter((from) => from === actors[name]).length
  expect([deposits('mixer-user'), deposits('mixer-once'), deposits('mixer-dusted')]).toEqual([9, 1, 0])
  expect(withdrawn.filter((to) => to === actors['mixer-dusted'])).toHaveLength(2)
  // The pool holds what went in and did not come out: value really moved.
  expect(await client.getBalance({ address: ADDRESSES.mixerPool })).toBe(
    BigInt(depositors.length - withdrawn.length) * ETHER,
  )
  // 11 ether came in from the exchange and 0.95 from the pool; 9 of them were deposited.
  const moved = story.blocks
    .flatMap((block) => block.transactions)
    .filter(({ from, to }) => from === actors['mixer-user'] || to === actors['mixer-user'])
    .reduce((sum, { value }) => sum + value, 0n)
  expect(Number(9n * ETHER) / Number(moved)).toBeGreaterThan(0.25)
})

test('the rug-puller took 80 % or more of the reserve, and more than it had put in, within 30 days of purchases', async () => {
  const { pool } = story.rug
  const [burn] = await client.getLogs({
    ...all,
    address: pool,
    event: parseAbiItem('event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)'),
  })
  const swaps = await client.getLogs({ ...all, address: pool, event: swap })
  const [mint] = await client.getLogs({
    ...all,
    address: pool,
    event: parseAbiItem('event Mint(address indexed sender, uint256 amount0, uint256 amount1)'),
  })
  const coinFirst = BigInt(ADDRESSES.weth) < BigInt(story.rug.token)
  const base = (log: { args: { amount0?: bigint | undefined; amount1?: bigint | undefined } }) =>
    (coinFirst ? log.args.amount0 : log.args.amount1)!
  const left = await holds(ADDRESSES.weth, pool)
  const taken = base(burn!)
  expect(Number(taken) / Number(taken + left)).toBeGreaterThan(0.8)
  expect(taken).toBeGreaterThan(base(mint!))
  expect((await client.getTransaction({ hash: burn!.transactionHash! })).from).toBe(actors['rug-puller'])
  expect((await timeOf(burn!.blockNumber!)) - (await timeOf(mint!.blockNumber!))).toBeLessThan(30n * DAY_S)
  const buyers = await Promise.all(
    swaps.map(async (log) => (await client.getTransaction({ hash: log.transactionHash })).from),
  )
  expect(new Set(buyers).size).toBe(9)
})

test('23 wallets bought the honeypot, five tried to sell and failed, only the deployer sold', async () => {
  const { pool, token } = story.honeypot
  const swaps = await client.getLogs({ ...all, address: pool, event: swap })
  const coinFirst = BigInt(ADDRESSES.weth) < BigInt(token)
  const people = { buyers: new Set<string>(), sellers: new Set<string>() }
  for (const { args, transactionHash } of swaps) {
    const { from } = await client.getTransaction({ hash: transactionHash })
    const coinsIn = (coinFirst ? args.amount0In : args.amount1In)!
    people[coinsIn > 0n ? 'buyers' : 'sellers'].add(from)
  }
  expect(people.buyers.size).toBe(23)
  expect([...people.sellers]).toEqual([actors['honeypot-deployer']])
  const attempts = story.blocks.flatMap((block) =>
    block.transactions.filter((t) => t.reverts && t.to === ADDRESSES.router),
  )
  expect(new Set(attempts.map((attempt) => attempt.from)).size).toBe(5)
})

test('each victim lost everything within 7 days of its approval, split 20 to 80, in transactions it did not send', async () => {
  const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const approval = parseAbiItem('event Approval(address indexed owner, address indexed spender, uint256 value)')
  const { harbor } = story.market
  for (const name of VICTIMS) {
    const victim = actors[name]
    const approvals = await client.getLogs({
      ...all,
      address: harbor,
      event: approval,
      args: { owner: victim, spender: story.drainer.token },
    })
    expect(approvals).toHaveLength(1)
    const pulls = (await client.getLogs({ ...all, address: harbor, event: transfer, args: { from: victim } })).filter(
      (log) => [actors.drainer, actors['drainer-affiliate']].includes(log.args.to!.toLowerCase() as Address),
    )
    expect(pulls).toHaveLength(2)
    const [first, second] = pulls.map((log) => log.args.value!)
    expect(Number((first! * 10_000n) / (first! + second!))).toBeCloseTo(2_000, -1)
    expect(new Set(pulls.map((log) => log.transactionHash)).size).toBe(1)
    expect((await client.getTransaction({ hash: pulls[0]!.transactionHash! })).from).toBe(actors.drainer)
    expect((await timeOf(pulls[0]!.blockNumber!)) - (await timeOf(approvals[0]!.blockNumber!))).toBeLessThan(7n * DAY_S)
    // All of it: the balance right after is nothing.
    const received = await client.getLogs({
      address: harbor,
      event: transfer,
      args: { to: victim },
      fromBlock: 0n,
      toBlock: pulls[0]!.blockNumber!,
    })
    const gone = await client.getLogs({
      address: harbor,
      event: transfer,
      args: { from: victim },
      fromBlock: 0n,
      toBlock: pulls[0]!.blockNumber!,
    })
    const sum = (logs: readonly { args: { value?: bigint | undefined } }[]) =>
      logs.reduce((total, log) => total + log.args.value!, 0n)
    expect(sum(received)).toBe(sum(gone))
  }
})

test('the scenario file lists every wallet with its expected answer', () => {
  const written = JSON.parse(readFileSync(join(dataDir, 'scenario.json'), 'utf8'))
  expect(written).toEqual(result.entries)
  expect(written.find((entry: { name: string }) => entry.name === 'sanctioned')).toEqual({
    name: 'sanctioned',
    network: 'ETH',
    address: actors.sanctioned,
    operation: 'fraud_check',
    expect: {
      status: 'Fraud',
      probabilityFraud: '1.00',
      'forensic_details.sanctioned': '1',
      'sanctionData.0.isSanctioned': true,
    },
  })
})
