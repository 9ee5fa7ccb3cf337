import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import { type EvmDialect, type Network, networkInfo } from '../../../../schema/networks.ts'
import { fixturesFolder } from '../../../../test/kit/chain/recorded-chain.ts'
import { createBloom } from '../bloom.ts'
import { checkHeader, placeReceipts } from '../check.ts'
import { decodeBlock } from '../decode/index.ts'
import { isRawHeader, isReceiptList, type RawHeader, type RawReceipt, rawHeader, receiptList } from '../raw.ts'
import { createVerifier } from './index.ts'

/** Blocks recorded without some of their transactions: their roots cannot match. */
const CUT = [3_918_649, 13_367_088, 13_367_153]

const filesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })

const resultOf = (file: string): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { result?: unknown }).result

type Case = { network: Network; file: string; block: RawHeader; receipts: RawReceipt[] | undefined }

const casesOf = (network: Network, folder: string): Case[] => {
  const root = fixturesFolder(folder)
  if (!root) return []
  const files = filesIn(root)
  const receiptsByBlock = new Map(
    files
      .filter((file) => /eth_getBlockReceipts_\d+\.json$/.test(file))
      .flatMap((file) => {
        const receipts = resultOf(file) as RawReceipt[] | null
        return receipts?.[0] ? [[receipts[0].blockHash, receipts] as const] : []
      }),
  )
  return files
    .filter((file) => /eth_getBlockByNumber_\d+_true\.json$/.test(file))
    .flatMap((file) => {
      const block = resultOf(file) as RawHeader | null
      return block
        ? [{ network, file: file.slice(root.length + 1), block, receipts: receiptsByBlock.get(block.hash) }]
        : []
    })
}

const CASES = [
  ...casesOf('ETH', 'ethereum'),
  ...casesOf('BNB', 'bnb'),
  ...casesOf('POLYGON', 'polygon'),
  ...casesOf('BASE', 'base'),
]
const WHOLE = CASES.filter(({ block }) => !CUT.includes(Number(block.number)))

const dialectOf = (network: Network): EvmDialect => networkInfo(network).dialect!

/** As in blocks whose sender is recovered. @param random chooses it; 0 is the first transaction */
const verify = ({ network, block, receipts }: Omit<Case, 'file'>, random = () => 0) => {
  const dialect = dialectOf(network)
  const verifier = createVerifier(dialect, createBloom(), { random: () => random() / 4 })
  checkHeader(block, { number: Number(block.number) })
  verifier.header(block)
  verifier.transactions(block)
  if (receipts) verifier.receipts(block, placeReceipts(block, receipts, { dialect, patient: true }))
}

describe.skipIf(CASES.length === 0)('recorded blocks (skipped without recorded data)', () => {
  test.each(WHOLE)('$network $file matches its hashes', (one) => {
    expect(() => verify(one, () => 0.999)).not.toThrow()
  })

  test('the recorded data has every network, every transaction type and receipts of several eras', () => {
    const types = new Set(WHOLE.flatMap(({ block }) => block.transactions.map(({ type }) => Number(type ?? 0))))
    expect([...types].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 0x7e])
    expect(new Set(WHOLE.map(({ network }) => network)).size).toBe(4)
    expect(WHOLE.filter(({ receipts }) => receipts).length).toBeGreaterThanOrEqual(12)
  })

  test.each(CASES.filter(({ block }) => CUT.includes(Number(block.number))))(
    '$file, cut by its recorder, is refused',
    (one) => {
      expect(() => verify({ ...one, receipts: undefined })).toThrow(RpcInconsistent)
    },
  )

  test('verifies blocks of a node that omits blooms of receipts', () => {
    const one = WHOLE.find(({ receipts }) => receipts && receipts.length > 20)!
    expect(() =>
      verify({ ...one, receipts: one.receipts!.map((receipt) => ({ ...receipt, logsBloom: null })) }),
    ).not.toThrow()
  })
})

type Leaf = {
  place: string
  object: Record<string, unknown> | unknown[]
  key: string | number
  value: string | boolean
}

/** Every text and boolean of a JSON value. */
const leavesOf = (value: unknown, place: string): Leaf[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]): Leaf[] => {
    const at = `${place}.${Array.isArray(value) ? '' : key}`
    return typeof inner === 'string' || typeof inner === 'boolean'
      ? [{ place: at, object: value as Record<string, unknown>, key, value: inner }]
      : leavesOf(inner, at)
  })
}

/** Places of lists and objects of a JSON value. */
const branchesOf = (value: unknown): Pick<Leaf, 'object' | 'key'>[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        typeof inner === 'object' && inner !== null
          ? [{ object: value as Record<string, unknown>, key }, ...branchesOf(inner)]
          : [],
      )

const lastHexDigit = (text: string, by: number): string => {
  const digit = Number.parseInt(text.at(-1)!, 16)
  return Number.isNaN(digit) ? `${text}00` : text.slice(0, -1) + ((digit + by) % 16).toString(16)
}

const rowsOf = ({ network, block, receipts }: Omit<Case, 'file'>) =>
  JSON.stringify(
    decodeBlock(network, { block, receipts: receipts ?? [], traces: undefined, codes: new Map(), tokenMetadata: [] })
      .rows,
  )

describe.skipIf(CASES.length === 0)('forged answers (skipped without recorded data)', () => {
  const complete = WHOLE.filter(({ receipts, block }) => receipts && block.transactions.length > 0)

  /** Outcome of changing one digit, or one boolean, of a block or its receipts. */
  const forge = (
    one: Case,
    pick: number,
    by: number | 'drop',
  ): { place: string; outcome: 'caught' | 'harmless' | 'believed' } => {
    const forged = structuredClone(one)
    const header = leavesOf({ header: forged.block }, '').filter(
      ({ place }) => !place.startsWith('.header.transactions'),
    )
    const parts = [
      header,
      leavesOf({ transactions: forged.block.transactions }, ''),
      leavesOf({ receipts: forged.receipts }, ''),
    ]
    const part = parts[pick % parts.length]!
    const { place, object, key, value } = part[pick % part.length]!
    if (by === 'drop') Object.assign(object, { [key]: undefined })
    else Object.assign(object, { [key]: typeof value === 'boolean' ? !value : lastHexDigit(value, by) })
    // Which sender is recovered is chance; here it is the sender of the transaction that was changed.
    const changed = forged.block.transactions.indexOf(object as RawHeader['transactions'][number])
    try {
      verify(forged, () => (Math.max(changed, 0) + 0.5) / forged.block.transactions.length)
    } catch {
      return { place, outcome: 'caught' }
    }
    return { place, outcome: rowsOf(forged) === rowsOf(one) ? 'harmless' : 'believed' }
  }

  /** Outside everything a header binds, and yet in rows: documented with the networks. */
  const UNBOUND = ['.receipts..l1Fee', '.receipts..blobGasPrice']

  test('detects the change or loss of any field that affects a row', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: complete.length - 1 }),
        fc.nat({ max: 10_000_000 }),
        fc.oneof(fc.integer({ min: 1, max: 15 }), fc.constant('drop' as const)),
        (which, pick, by) => {
          const one = complete[which]!
          const { place, outcome } = forge(one, pick, by)
          // Before Canyon nothing binds the nonce of a deposit.
          const ofDeposit = place === '.transactions..nonce' && one.network === 'BASE'
          if (!UNBOUND.includes(place) && !ofDeposit)
            expect(`${place} of ${one.file}: ${outcome}`).not.toContain('believed')
        },
      ),
      { numRuns: 600, endOnFailure: true },
    )
  }, 120_000)

  test('the fast check accepts exactly the responses that the schema accepts', () => {
    const odd = [undefined, null, 'ab', '', 5, true, [], {}, ['0x1'], { 0: '0x1' }, '0x', '0X1']
    let refused = 0
    fc.assert(
      fc.property(
        fc.nat({ max: complete.length - 1 }),
        fc.nat({ max: 10_000_000 }),
        fc.constantFrom(...odd),
        (which, pick, value) => {
          const { block, receipts } = structuredClone(complete[which]!)
          for (const part of [block, receipts!]) {
            const leaves = [...leavesOf(part, ''), ...branchesOf(part)]
            const { object, key } = leaves[pick % leaves.length]!
            Object.assign(object, { [key]: value })
          }
          expect(isRawHeader(block)).toBe(rawHeader.safeParse(block).success)
          expect(isReceiptList(receipts)).toBe(receiptList.safeParse(receipts).success)
          if (!isRawHeader(block)) refused += 1
        },
      ),
      { numRuns: 80 },
    )
    expect(refused).toBeGreaterThan(5)
    for (const { block, receipts } of complete)
      expect([isRawHeader(block), isReceiptList(receipts)]).toEqual([true, true])
    for (const value of odd) {
      expect(isRawHeader(value)).toBe(rawHeader.safeParse(value).success)
      expect(isReceiptList(value)).toBe(value !== null && receiptList.safeParse(value).success)
    }
  }, 60_000)

  const mainnet = WHOLE.find(({ network, receipts }) => network === 'ETH' && (receipts?.length ?? 0) > 20)!
  const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

  test.each<[string, string, (one: Case) => void]>([
    [
      'a larger amount in a token transfer',
      'receipts_root',
      ({ receipts }) => {
        const log = receipts!
          .flatMap(({ logs }) => logs)
          .find(({ topics }) => topics[0] === TRANSFER && topics.length === 3)!
        log.data = `0x7${log.data.slice(3)}`
      },
    ],
    [
      'a log whose topics the others cover is gone',
      'receipts_root',
      ({ receipts }) => void receipts!.find(({ logs }) => logs.length > 1)!.logs.pop(),
    ],
    [
      'a failure told as a success',
      'receipts_root',
      ({ receipts }) => void Object.assign(receipts![0]!, { status: receipts![0]!.status === '0x1' ? '0x0' : '0x1' }),
    ],
    [
      'two receipts told of each other',
      'receipts_root',
      ({ receipts }) => {
        const [a, b] = [receipts![0]!, receipts![1]!]
        ;[a.transactionHash, b.transactionHash] = [b.transactionHash, a.transactionHash]
      },
    ],
    [
      'another value',
      'transaction_hash',
      ({ block }) => void Object.assign(block.transactions[3]!, { value: '0xde0b6b3a7640000' }),
    ],
    [
      'another receiver',
      'transaction_hash',
      ({ block }) => void Object.assign(block.transactions[3]!, { to: `0x${'11'.repeat(20)}` }),
    ],
    [
      'another sender',
      'sender',
      ({ block }) => void Object.assign(block.transactions[3]!, { from: `0x${'11'.repeat(20)}` }),
    ],
    [
      'a transaction left out',
      'transactions_root',
      ({ block, receipts }) => {
        block.transactions.pop()
        receipts!.pop()
      },
    ],
    ['another time', 'header_hash', ({ block }) => void Object.assign(block, { timestamp: '0x1' })],
    [
      'a fee of a rollup',
      'l1_fee',
      ({ receipts }) => void Object.assign(receipts![0]!, { l1Fee: '0xde0b6b3a7640000' }),
    ],
    ['the header lacks a field', 'header_hash', ({ block }) => void Object.assign(block, { extraData: undefined })],
    [
      'a field that is no hex',
      'transactions_root',
      ({ block }) => void Object.assign(block.transactions[3]!, { value: '0xzz' }),
    ],
  ])('%s is caught (%s)', (_, check, change) => {
    const forged = structuredClone(mainnet)
    change(forged)
    expect(() => verify(forged, () => 3.5 / forged.block.transactions.length)).toThrow(
      expect.objectContaining({ check }) as Error,
    )
  })

  test('ignores fields of deposits and delegations in other transactions', () => {
    const forged = structuredClone(mainnet)
    Object.assign(forged.block.transactions[3]!, { mint: '0xde0b6b3a7640000' })
    const blobs = { blobGasUsed: '0x20000', blobGasPrice: '0xde0b6b3a7640000' }
    Object.assign(forged.receipts![3]!, blobs)
    const donor = WHOLE.flatMap(({ block }) => block.transactions).find(
      ({ authorizationList }) => authorizationList?.length,
    )!
    Object.assign(forged.block.transactions[3]!, { authorizationList: donor.authorizationList })
    expect(rowsOf(forged)).toBe(rowsOf(mainnet))
  })
})
