/**
 * The way of a Solana wallet from a node to its audit and its segment over HTTP, through the roles as they are configured:
 * indexer, ingest, scoring, API. The node speaks the wire format over loopback.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkStatus } from '../../../api/http/ops.ts'
import { createContext } from '../../../deploy/process/process.ts'
import { startApi } from '../../../deploy/roles/api.ts'
import type { RoleName } from '../../../deploy/roles/role.ts'
import { startRole } from '../../../deploy/roles/start.ts'
import { TOKEN_CALL } from '../../../indexer/source/solana/decode/programs.ts'
import { type Config, loadConfig } from '../../../platform/config/config.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Json } from '../../kit/chain/solana/recorded-solana.ts'
import {
  createSolanaChain,
  type SolanaChain,
  type SolanaNode,
  startSolanaNode,
} from '../../kit/chain/solana/solana-node.ts'
import { address, instruct, pay, token, transact, vote } from '../../kit/chain/solana/solana-transactions.ts'
import { freePort } from '../../kit/free-port.ts'
import { until } from '../../kit/until.ts'

const KEY = 'enterprise-key-of-the-test'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const DAY_OF_SLOTS = 216_000
const SOL = 1_000_000_000n
const PATIENCE_MS = 200_000

let chain: SolanaChain
let node: SolanaNode
let data: string
let config: Config
let url: string
const contexts: Context[] = []

const context = (role: string) => {
  const made = createContext({ ASSAY_LOG_LEVEL: 'silent' }, role)
  contexts.push(made)
  return made
}
const start = async (role: RoleName) => startRole(role, context(role), config)

const ask = async (path: string, walletAddress: string, network = 'SOLANA') => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify({ network, walletAddress }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const DOLLAR = 1_000_000n
const BUDGET = 2_000n * DOLLAR
const SPENT = 100n * DOLLAR

/** Dollars from the exchange, then swaps of some of them for SOL, one a day. */
const funded = () => {
  const [from, to] = [address('exchange dollars'), address('trader dollars')]
  return transact({
    signers: ['exchange'],
    instructions: [
      token(TOKEN_CALL.transferChecked, [from, USDC, to, address('exchange')], {
        amount: BUDGET,
        rest: [6],
        signers: [address('exchange')],
      }),
    ],
    tokens: [
      {
        account: from,
        owner: address('exchange'),
        mint: USDC,
        decimals: 6,
        before: 10n ** 12n,
        after: 10n ** 12n - BUDGET,
      },
      { account: to, owner: address('trader'), mint: USDC, decimals: 6, before: 0n, after: BUDGET },
    ],
  })
}
const swapped = (day: number) => {
  const had = BUDGET - SPENT * BigInt(day)
  const [from, to, pool] = [address('trader dollars'), address('pool dollars'), address('pool')]
  return transact({
    signers: ['trader'],
    instructions: [
      instruct(JUPITER, [from, to, pool, address('trader')], Buffer.from('c1209b3341d69c81', 'hex'), [
        address('trader'),
      ]),
    ],
    inner: {
      0: [token(TOKEN_CALL.transferChecked, [from, USDC, to, address('trader')], { amount: SPENT, rest: [6] })],
    },
    lamports: { [pool]: -5n * SOL, [address('trader')]: 5n * SOL },
    tokens: [
      {
        account: from,
        owner: address('trader'),
        mint: USDC,
        decimals: 6,
        before: had,
        after: had - SPENT,
      },
      { account: to, owner: pool, mint: USDC, decimals: 6, before: 0n, after: SPENT },
    ],
    version: 0,
  })
}

/** Jupiter Lend's one call for everything, here coins put in and others borrowed on them; and a swap that a bot makes in a pool. */
const lent = () => {
  const operate = Buffer.alloc(48)
  Buffer.from('d96ad06374972a87', 'hex').copy(operate)
  operate.writeBigInt64LE(5n * SOL, 8)
  operate.writeBigInt64LE(40n * DOLLAR, 24)
  const vaults = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi'
  return transact({
    signers: ['borrower'],
    instructions: [instruct(vaults, [address('borrower')], operate, [address('borrower')])],
  })
}
const swappedByBot = () => {
  const [bot, pool, filler] = ['bot', 'pair', 'filler'].map(address) as [string, string, string]
  const [gives, gets, coins, dollars] = ['gives', 'gets', 'pair coins', 'pair dollars'].map(address) as [
    ...[string, string, string, string],
  ]
  const dlmm = 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'
  const mint = address('coin')
  const holding = { decimals: 6, before: 1_000n }
  const moved = (amount: bigint, from: string, to: string, by: string) =>
    token(TOKEN_CALL.transfer, [from, to, by], { amount })
  return transact({
    signers: ['borrower'],
    instructions: [instruct(bot, [address('borrower')], Buffer.from('99887766', 'hex'), [address('borrower')])],
    inner: {
      0: [
        instruct(dlmm, [pool, filler, coins, dollars, gives, gets], Buffer.from('f8c69e91e17587c8', 'hex')),
        moved(40n, gives, dollars, address('borrower')),
        moved(70n, coins, gets, pool),
      ],
    },
    depths: [2, 3, 3],
    tokens: [
      { account: gives, owner: address('borrower'), mint: USDC, ...holding, after: 960n },
      { account: gets, owner: address('borrower'), mint, ...holding, after: 1_070n },
      { account: dollars, owner: pool, mint: USDC, ...holding, after: 1_040n },
      { account: coins, owner: pool, mint, ...holding, after: 930n },
    ],
    version: 0,
  })
}

beforeAll(async () => {
  chain = createSolanaChain({ time: Math.floor(Date.now() / 1_000) - 12 * 86_400 })
  chain.add([vote('validator'), pay('exchange', 'trader', 20n * SOL)], 10)
  chain.add([funded()], DAY_OF_SLOTS)
  for (let day = 0; day < 8; day += 1) {
    chain.add([vote('validator'), swapped(day), pay('trader', `friend ${day}`, SOL / 2n)], DAY_OF_SLOTS)
  }
  chain.add([lent(), swappedByBot()], 10)
  chain.grow(3)
  chain.finalize(2)
  node = await startSolanaNode(chain)
  data = mkdtempSync(join(tmpdir(), 'assay-solana-'))
  config = loadConfig({
    ASSAY_DATA: data,
    ASSAY_PORT: String(await freePort()),
    ASSAY_PLAIN_HTTP: 'true',
    ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}`,
    SOLANA_RPC_URL: node.url,
    SOLANA_START_BLOCK: String(chain.blocks()[0]!.number),
  })
  const api = await startApi(context('api'), config)
  api.done.catch(() => undefined)
  url = api.urls[0] ?? ''
  for (const role of ['scorer', 'indexer'] as const) (await start(role)).done.catch(() => undefined)
  await until(
    'the newest block is stored',
    async () => {
      const { networks } = (await (await fetch(`${url}/status`)).json()) as { networks: NetworkStatus[] }
      const found = networks.find((one) => one.network === 'SOLANA')
      const stopped = found?.parts.find(({ state }) => state === 'stopped')
      if (stopped) throw new Error(`${stopped.part}: ${stopped.error?.message}`)
      return found?.stored === chain.tip().number
    },
    PATIENCE_MS,
  )
  // Stored is not scored yet: until then a network refuses to answer.
  await until(
    'what was read is scored',
    async () => (await ask('/fraud/audit', address('trader'))).status !== 503,
    PATIENCE_MS,
  )
}, 2 * PATIENCE_MS)

afterAll(async () => {
  for (const { lifecycle } of contexts.reverse()) await lifecycle.close()
  await node?.stop()
  if (data) rmSync(data, { recursive: true, force: true })
})

test('the audit of a wallet shows its activity and holdings', async () => {
  const { status, body } = await ask('/fraud/audit', address('trader'))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    walletAddress: address('trader'),
    chain: 'SOLANA',
    status: 'Not Fraud',
    protocols: [{ Protocol: 'jupiter', Count: 8 }],
    // What it has in SOL has no price: no pools are announced. Dollars are a dollar.
    userDetails: { wallet_age_days: 9, total_balance_usd: 1_200, transaction_count: 17 },
  })
  expect(body.categories).toEqual(
    expect.arrayContaining([
      { Category: 'Decentralized Exchanges', Count: 8 },
      { Category: 'DeFi', Count: 8 },
    ]),
  )
})

test('a call that lends and borrows counts as both, and a swap through a bot counts for its exchange', async () => {
  const { status, body } = await ask('/fraud/audit', address('borrower'))
  expect(status).toBe(200)
  expect(body.protocols).toEqual(
    expect.arrayContaining([
      { Protocol: 'jupiter lend', Count: 1 },
      { Protocol: 'meteora', Count: 1 },
    ]),
  )
  expect(body.categories).toEqual(
    expect.arrayContaining([
      { Category: 'Lending & Borrowing', Count: 1 },
      { Category: 'Decentralized Exchanges', Count: 1 },
    ]),
  )
  // Nothing else sets a wallet of two transactions apart from one without any, of which borrowing reads Low.
  expect(body.intention.Value).toMatchObject({ Prob_Lend: 'High', Prob_Borrow: 'Medium' })
})

test('its segment is served', async () => {
  const { status, body } = await ask('/segmentation/wallet-segment', address('trader'))
  expect([status, body.walletAddress]).toEqual([200, address('trader')])
  expect(body.protocols).toEqual([{ Protocol: 'jupiter', Count: 8 }])
  expect(body.intention.Value.Prob_Trade).toBe('High')
})

test('refuses an operation that is not supported on Solana', async () => {
  expect((await ask('/fraud/check', address('trader'))).status).toBe(400)
})

test('a payment in a new slot changes the answer, and an unseen wallet has none', async () => {
  expect((await ask('/fraud/audit', address('late friend'))).status).toBe(404)
  chain.add([pay('trader', 'late friend', SOL)], 3)
  await until(
    'the new wallet is served',
    async () => (await ask('/fraud/audit', address('late friend'))).status === 200,
    PATIENCE_MS,
  )
})
