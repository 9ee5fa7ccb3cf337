/** Recorded blocks and transactions of TRON, and what is counted in them without our code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTronSource } from '../../../../indexer/source/tron/index.ts'
import { rawTronBlock, rawTronInfos } from '../../../../indexer/source/tron/raw.ts'
import { placeInfos, verifyHeader, verifyTransactions } from '../../../../indexer/source/tron/verify/index.ts'
import { parseAddress } from '../../../../schema/address/index.ts'
import type { Block } from '../../../../schema/block.ts'
import { startTronNode, type TronNode } from '../../../kit/chain/tron/node.ts'
import { relinkedChain, tronRecordings } from '../../../kit/chain/tron/recordings.ts'
import { testContext } from '../../../kit/context.ts'

const recordings = tronRecordings()

const base58 = (hex: unknown): string => {
  const parsed = parseAddress('TRON', String(hex))
  if (!parsed.ok) throw new Error(`${String(hex)}: ${parsed.reason}`)
  return parsed.canonical
}

type Fact = { from: string; to: string; asset: string; amount: string }

/** What the recorded transactions move, by the words that nodes print beside the bytes, which our code does not read. */
const printedMovements = (): Fact[] =>
  recordings!.transactions.flatMap(({ raw_data }): Fact[] => {
    const [{ type, parameter } = { type: '', parameter: { value: {} } }] = raw_data.contract
    const value = parameter.value as Record<string, unknown>
    if (type !== 'TransferContract' && type !== 'TransferAssetContract') return []
    const name = String(value.asset_name)
    // TronGrid's lists print the number of a token as it is; nodes print it in hex.
    const number = name.length === 7 ? name : Buffer.from(name, 'hex').toString()
    const asset = type === 'TransferContract' ? '' : number
    const [from, to] = [base58(value.owner_address), base58(value.to_address)]
    return [{ from, to, asset, amount: String(value.amount) }]
  })

describe.skipIf(!recordings)(
  `recorded TRON blocks${recordings ? '' : ' (skipped: no recorded answers at hand)'}`,
  () => {
    let node: TronNode
    const blocks: Block[] = []
    beforeAll(async () => {
      const chain = relinkedChain(recordings!)
      node = await startTronNode(chain)
      const source = createTronSource({
        context: testContext(),
        network: 'TRON',
        urls: [node.url],
        tokenMetadata: false,
      })
      for (let number = 1; number <= chain.height(); number += 1) blocks.push((await source.block({ number }))!)
    })
    afterAll(() => node.stop())

    test('recomputes IDs and roots of real blocks, and refuses a block with removed transactions', () => {
      const whole = rawTronBlock.parse(recordings!.whole)
      verifyHeader(whole)
      verifyTransactions(whole)
      const cut = rawTronBlock.parse(recordings!.cut)
      verifyHeader(cut)
      expect(() => verifyTransactions(cut)).toThrow('do not match its root')
      const infos = rawTronInfos.parse(recordings!.infos.filter(({ blockNumber }) => blockNumber === 165))
      expect(placeInfos(whole, infos)).toHaveLength(1)
    })

    test.each([
      ['a signature', (one: { signature: string[] }) => ({ signature: [one.signature[0]!.replace(/^../, 'ff')] })],
      ['the result', () => ({ ret: [{ contractRet: 'REVERT' }] })],
      ['a result more', () => ({ ret: [{ contractRet: 'SUCCESS' }, {}] })],
      ['a field of the result', () => ({ ret: [{ contractRet: 'SUCCESS', fee: 1 }] })],
      ['a field that is not known', () => ({ ret: [{ contractRet: 'SUCCESS', tip: 1 }] })],
      [
        'the bytes',
        (one: { raw_data_hex: string }) => ({
          raw_data_hex: one.raw_data_hex.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        }),
      ],
    ] as const)('a real block with another %s is refused', (_, change) => {
      const { transactions, ...rest } = recordings!.whole
      const changed = { ...transactions![0]!, ...(change as (one: unknown) => object)(transactions![0]) }
      expect(() => verifyTransactions(rawTronBlock.parse({ ...rest, transactions: [changed] }))).toThrow()
    })

    test('every transaction occurs once, with sender and fee', () => {
      const rows = blocks.flatMap((block) => block.rows.transactions)
      const owner = ({ raw_data }: (typeof recordings & object)['transactions'][number]) => {
        const { owner_address } = raw_data.contract[0]!.parameter.value as { owner_address: string }
        return base58(owner_address)
      }
      expect(rows.map(({ tx_hash, sender }) => [tx_hash, sender])).toEqual(
        recordings!.transactions.map((one) => [one.txID, owner(one)]),
      )
      const recorded = recordings!.transactions.reduce((sum, { ret }) => sum + (ret?.[0]?.fee ?? 0), 0)
      expect(recorded).toBeGreaterThan(0)
      expect(rows.reduce((sum, { fee }) => sum + Number(fee), 0)).toBe(recorded)
      expect(
        blocks.flatMap(
          ({
            rows: {
              blocks: [one],
            },
          }) => one?.transaction_count,
        ),
      ).toEqual(blocks.map(({ rows: { transactions } }) => transactions.length))
    })

    test('transferred value per asset and party equals what nodes print', () => {
      const facts = printedMovements()
      expect(facts.length).toBeGreaterThan(20)
      const moved = blocks
        .flatMap((block) => block.rows.ledger)
        .filter(({ kind, direction }) => direction === -1 && (kind === 'native' || kind === 'fungible'))
        .map(({ address: from, counterparty: to, asset, amount }) => ({ from, to, asset, amount }))
      expect(moved).toEqual(facts)
    })
  },
)
