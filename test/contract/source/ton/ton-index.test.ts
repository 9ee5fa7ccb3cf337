/** An index of version 3, which prints transactions in fields: what is believed of it, and what is not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Address, beginCell, Cell, Dictionary, ExternalAddress, loadTransaction, storeTransaction } from '@ton/core'
import { afterEach, describe, expect, test } from 'vitest'
import { createTonSource, type TonSourceOptions } from '../../../../indexer/source/ton/index.ts'
import { readTransaction } from '../../../../indexer/source/ton/transaction.ts'
import { rebuildTransaction } from '../../../../indexer/source/ton/v3/rebuild.ts'
import { transactions } from '../../../../indexer/source/ton/v3/shapes.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { fixturesFolder } from '../../../kit/chain/recorded-chain.ts'
import { seeded } from '../../../kit/chain/replay-node.ts'
import { createTonChain, halves, type TonChain, WHOLE } from '../../../kit/chain/ton/chain.ts'
import { startTonNode, type TonFaults } from '../../../kit/chain/ton/node.ts'
import { printTransaction } from '../../../kit/chain/ton/print-transaction.ts'
import { tonRecordings } from '../../../kit/chain/ton/recordings.ts'
import { deploy, internalTransfer, pay, sign, TON, type TonTx } from '../../../kit/chain/ton/transactions.ts'
import { account, createWorld } from '../../../kit/chain/ton/wallets.ts'
import { counted, testContext } from '../../../kit/context.ts'

const KEY = 'hunter2-hunter2-hunter2'
const names = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'].map(account)
const [ann, bob] = names as [string, string]
const busy = (): TonTx[] => [
  ...[...names, ...names].map((one, index) => pay(names[(index + 1) % names.length]!, one, TON, 'for tea')),
  sign(ann),
  { ...pay(ann, bob, 5n), result: 'refused' },
  { ...pay(ann, bob, 5n), result: 'stopped' },
]

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const world = createWorld()
const dollars = world.jetton({ master: account('master'), name: 'Dollars', symbol: 'D', decimals: 6 })
/** One shard, then two, then three with three blocks each between, then one again; jettons, a contract and comments in it. */
const chain = createTonChain()
const [LOW] = halves(WHOLE)
chain.mine(busy(), busy())
chain.split(WHOLE)
chain.mine(busy(), [...busy(), deploy(ann, account('shop'))])
chain.split(LOW)
chain.pace(3)
chain.mine(busy(), [
  { from: dollars(ann), account: dollars(bob), value: TON, body: internalTransfer({ from: ann, amount: 5n }) },
])
chain.merge(LOW)
chain.mine(busy())
chain.merge(WHOLE)
chain.pace(1)
chain.mine(busy(), busy())
const NUMBERS = Array.from({ length: chain.height() }, (_, index) => index + 1)

const nodeOf = async (faults: TonFaults = {}, served: TonChain = chain, options: object = {}) => {
  const node = await startTonNode(served, { faults, contracts: world.contracts, ...options })
  open.push(node.stop)
  return node
}
/** Pauses pass at once. */
const hasty = () => {
  let now = 0
  return testContext({
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  })
}
const sourceOf = (urls: string[], options: Partial<TonSourceOptions> = {}, context: Context = testContext()) =>
  createTonSource({ context, network: 'TON', urls, limitPauseMs: 20, ...options })

const parse = (printed: unknown) =>
  transactions.parse(JSON.parse(JSON.stringify({ transactions: [printed] }))).transactions[0]!

describe('recorded answers', () => {
  const folder = fixturesFolder('ton')
  const recordings = tonRecordings()

  test.skipIf(!folder)('transactions printed by a real index hash to the stated hashes', () => {
    for (const file of ['v3_transactions_6.json', 'v3_transactions_8.json']) {
      const answer = transactions.parse(JSON.parse(readFileSync(join(folder!, 'toncenter', file), 'utf8')))
      expect(answer.transactions).toHaveLength(1)
      for (const one of answer.transactions) {
        const read = readTransaction(rebuildTransaction(one))
        expect(read).toMatchObject({ hash: one.hash, lt: one.lt, message: { kind: 'external' } })
      }
    }
  })

  test.skipIf(!recordings)('rebuilds every recorded mainnet transaction from its fields', () => {
    let count = 0
    for (const { id, transactions: recorded } of recordings!.blocks) {
      for (const { data } of recorded) {
        const bag = Buffer.from(data, 'base64')
        const made = rebuildTransaction(parse(printTransaction(bag, id)))
        expect(Buffer.from(made.hashes[0]!).equals(Cell.fromBoc(bag)[0]!.hash())).toBe(true)
        count += 1
      }
    }
    expect(count).toBe(1_792)
  })

  test.skipIf(!recordings)(
    'a changed field of a recorded transaction is refused or affects nothing that is read',
    () => {
      const random = seeded(7)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
      const all = recordings!.blocks.flatMap(({ id, transactions: own }) => own.map(({ data }) => ({ id, data })))
      let refused = 0
      for (let round = 0; round < 600; round += 1) {
        const { id, data } = pick(all)
        const printed = JSON.parse(JSON.stringify(printTransaction(Buffer.from(data, 'base64'), id))) as object
        const truth = readTransaction(rebuildTransaction(parse(printed)))
        const path = change(printed, random)
        try {
          const read = readTransaction(rebuildTransaction(parse(printed)))
          expect({ path, read: summary(read) }).toEqual({ path, read: summary(truth) })
        } catch (error) {
          if ((error as Error).name === 'AssertionError') throw error
          refused += 1
        }
      }
      expect(refused).toBeGreaterThan(200)
    },
  )
})

/** All that is read of a transaction, as values that can be compared. */
const summary = ({ message, ...read }: ReturnType<typeof readTransaction>) => {
  if (!message) return read
  const { body, ...rest } = message
  const { bits, refs } = body.copy().rest()
  const init = 'init' in rest ? rest.init : undefined
  const below = [...refs, init?.code, init?.data].map((cell) => cell?.hashes.map((hash) => hash.toString('hex')))
  return { ...read, message: { ...rest, init: undefined }, body: bits.big(bits.bitsLeft()), below }
}

/** Changes one leaf of a printed answer, in a way that keeps its form. @returns where. */
const change = (printed: object, random: () => number): string => {
  const leaves: { owner: Record<string, unknown>; key: string; path: string }[] = []
  const visit = (owner: Record<string, unknown>, path: string): void => {
    for (const [key, value] of Object.entries(owner)) {
      const at = path === '' ? key : `${path}.${key}`
      if (value !== null && typeof value === 'object') visit(value as Record<string, unknown>, at)
      else leaves.push({ owner, key, path: at })
    }
  }
  visit(printed as Record<string, unknown>, '')
  const { owner, key, path } = leaves[Math.floor(random() * leaves.length)]!
  const value = owner[key]
  if (typeof value === 'boolean') owner[key] = !value
  else if (typeof value === 'number') owner[key] = value + 1
  else if (value === null) owner[key] = random() < 0.5 ? '1' : true
  else if (typeof value === 'string' && /^\d+$/.test(value)) owner[key] = `${BigInt(value) + 1n}`
  else if (typeof value === 'string') {
    const at = Math.floor(random() * value.length)
    owner[key] = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`
  }
  return path
}

test('version 3 gives the same blocks as version 2, with splits, merges, jettons, deploys and comments', async () => {
  const node = await nodeOf()
  const [bytes, fields] = [sourceOf([node.url]), sourceOf([node.indexUrl])]
  await fields.verify()
  for (const number of [0, ...NUMBERS]) {
    const block = await fields.block({ number })
    expect(block).toEqual(await bytes.block({ number }))
    expect(block).toBeDefined()
  }
  const { rows } = (await fields.block({ number: 6 }))!
  expect(rows.ledger.filter(({ kind }) => kind === 'fungible')).toHaveLength(2)
  expect(rows.tokens).toMatchObject([{ symbol: 'D', decimals: 6 }])
  expect((await fields.block({ number: 4 }))!.rows.creations).toHaveLength(1)
})

test('decodes transactions with external messages, inline state inits and other currencies', () => {
  const base = loadTransaction(Cell.fromBase64(chain.find(chain.at(1)!.tips[0]!)!.transactions[0]!.data).beginParse())
  const source = Address.parseRaw(ann)
  const log = (bits: number, body: Cell) => ({
    info: {
      type: 'external-out' as const,
      src: source,
      dest: new ExternalAddress(5n, bits),
      createdLt: base.lt + 1n,
      createdAt: base.now,
    },
    body,
  })
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  for (const id of [1, 2, 77, 4_000_000_000]) other.set(id, 10n ** 20n + BigInt(id))
  const deep = beginCell().storeRef(beginCell().storeUint(1, 900).storeRef(Cell.EMPTY)).endCell()
  const sent = {
    info: {
      type: 'internal' as const,
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: source,
      dest: Address.parseRaw(bob),
      value: { coins: 7n, other },
      ihrFee: 0n,
      forwardFee: 3n,
      createdLt: base.lt + 2n,
      createdAt: base.now,
    },
    init: { code: beginCell().storeUint(1, 8).endCell(), data: deep },
    body: deep,
  }
  const made = { ...base, outMessagesCount: 4, totalFees: { coins: 9n, other } }
  made.outMessages.set(0, log(64, deep))
  made.outMessages.set(1, sent)
  made.outMessages.set(2, log(9, beginCell().storeUint(3, 32).endCell()))
  made.outMessages.set(3, log(256, beginCell().storeUint(1, 1_000).endCell()))
  const bag = beginCell().store(storeTransaction(made)).endCell()
  const id = chain.at(1)!.tips[0]!
  const rebuilt = rebuildTransaction(parse(printTransaction(bag.toBoc(), id)))
  expect(rebuilt.hashes[0]).toEqual(bag.hash())
})

test.each([
  ['forgedTransaction', 'transaction_hash'],
  ['older', 'number'],
  ['lacksShard', 'shards'],
  ['otherBlock', 'transaction_block'],
  ['cutTransactions', 'transaction_count'],
  ['skipsBlock', 'parents'],
  ['oneParent', 'parents'],
  ['hides', 'transaction_chain'],
  ['renamesTips', 'block_id'],
] as const)('detects %s as %s, and makes no block of it', async (fault, check) => {
  const liar = await nodeOf({ [fault]: 1 })
  const honest = await nodeOf()
  const context = testContext()
  const source = sourceOf([liar.indexUrl, honest.indexUrl], {}, context)
  const truth = sourceOf([honest.url])
  const seen = () => counted(context, 'assay_rpc_inconsistent_total', { check })
  // Which of the two is asked is left to chance.
  for (let round = 0; round < 20 && (await seen()) === 0; round += 1) {
    for (const number of NUMBERS) expect(await source.block({ number })).toEqual(await truth.block({ number }))
  }
  expect(await seen()).toBeGreaterThan(0)
})

test('reads a block larger than a page completely, and refuses repeating pages at once', async () => {
  const crowd = createTonChain()
  crowd.mine(
    [pay(ann, bob, 1n)],
    Array.from({ length: 1_001 }, (_, index) => pay(names[index % 8]!, account(`guest ${index}`), BigInt(index + 1))),
  )
  const { indexUrl, counts } = await nodeOf({}, crowd)
  const { block } = (await sourceOf([indexUrl]).raw({ number: 2 }))!
  expect(block.transactions).toHaveLength(1_002)
  expect(counts.methods.get('transactionsByMasterchainBlock')).toBe(2)
  const liar = await nodeOf({ repeatsPages: true }, crowd)
  await expect(sourceOf([liar.indexUrl], {}, hasty()).raw({ number: 2 })).rejects.toMatchObject({
    code: 'ASSAY_RPC_INCONSISTENT',
  })
  expect(liar.counts.methods.get('transactionsByMasterchainBlock')).toBeLessThan(40)
})

test.each([
  ['null', null],
  ['an empty object', {}],
  ['an error with status 200', { error: 'ton-http-api endpoint is not specified' }],
  ['no transactions, though blocks count some', { transactions: [] }],
  ['a transaction of nothing but huge numbers', { transactions: [{ lt: '9'.repeat(5_000), now: 1e300 }] }],
])('%s in place of transactions is no block', async (_, body) => {
  const liar = await nodeOf({ insteadOfTransactions: body })
  const failure = await sourceOf([liar.indexUrl], {}, hasty())
    .raw({ number: 2 })
    .catch((error: Error) => error)
  expect(failure).toMatchObject({ code: expect.stringMatching(/^ASSAY_RPC_(INCONSISTENT|UNAVAILABLE)$/) })
})

test('refuses a response that is too expensive to check', async () => {
  const liar = await nodeOf({ manyParents: 1 })
  const source = sourceOf([liar.indexUrl], {}, hasty())
  await expect(source.raw({ number: 3 })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
})

test('refuses an index of another chain before reading from it', async () => {
  const test = await nodeOf({}, chain, { globalId: -3 })
  await expect(sourceOf([test.indexUrl]).verify()).rejects.toMatchObject({
    code: 'ASSAY_SOURCE_WRONG_CHAIN',
    message: expect.stringContaining('global id -3'),
  })
  // Nor is it believed when it turns into one while it runs.
  await expect(sourceOf([test.indexUrl], {}, hasty()).block({ number: 2 })).rejects.toMatchObject({
    code: 'ASSAY_RPC_INCONSISTENT',
  })
})

test('refuses a host with nothing behind its URL by name, for both versions', async () => {
  const node = await nodeOf()
  const refused = { code: 'ASSAY_SOURCE_OTHER_API', message: expect.stringContaining('version 2') }
  const elsewhere = node.url.replace('/api/v2', '/elsewhere/api/v3')
  await expect(sourceOf([elsewhere], {}, hasty()).verify()).rejects.toMatchObject(refused)
})

test('uses only the version 2 URL of a host with two URLs; two hosts of both versions confirm each other', async () => {
  const [first, second] = [await nodeOf(), await nodeOf()]
  for (const urls of [
    [first.indexUrl, first.url],
    [first.url, first.indexUrl],
  ]) {
    expect(await sourceOf(urls).block({ number: 4 })).toBeDefined()
  }
  expect([...first.counts.methods.keys()]).not.toContain('blocks')
  const both = sourceOf([first.url, second.indexUrl])
  expect(await both.finalizedHead()).toMatchObject({ number: chain.height(), hash: chain.hashAt(chain.height()) })
  second.misbehave({ newestHash: Buffer.alloc(32, 0xab).toString('base64') })
  const fresh = sourceOf([first.url, second.indexUrl], {}, hasty())
  await expect(fresh.finalizedHead()).rejects.toMatchObject({ code: 'ASSAY_SOURCE_FINALITY_UNCONFIRMED' })
})

test.each([429, 500, 503] as const)('responses with status %i slow the source down without loss', async (status) => {
  const node = await nodeOf()
  const source = sourceOf([node.indexUrl])
  for (const number of NUMBERS.slice(0, 3)) {
    node.misbehave({ refusals: 2, status, retryAfter: 0 })
    expect((await source.raw({ number }))?.block.transactions.length).toBeGreaterThan(19)
  }
})

test('sends the key with every call; a block costs three calls for any number of shards', async () => {
  const node = await nodeOf()
  const source = sourceOf([`${node.indexUrl}/`], { apiKey: KEY, tokenMetadata: false })
  for (const number of [1, 2, 3, 4]) await source.raw({ number })
  const before = new Map(node.counts.methods)
  await source.raw({ number: 5 })
  const cost = Object.fromEntries(
    [...node.counts.methods].map(([name, count]) => [name, count - (before.get(name) ?? 0)]),
  )
  expect(cost).toEqual({ blocks: 1, masterchainBlockShardState: 1, transactionsByMasterchainBlock: 1 })
  for (const headers of node.counts.headers) expect(headers['x-api-key']).toBe(KEY)
})
