/** Recorded blocks of TON, and what is counted in them by the reference library, without our code. */
import { Cell, loadTransaction, type Transaction } from '@ton/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBag } from '../../../../indexer/source/ton/cell/boc.ts'
import { hashOf } from '../../../../indexer/source/ton/cell/cell.ts'
import { createTonSource } from '../../../../indexer/source/ton/index.ts'
import { type Block, touchedAddresses } from '../../../../schema/block.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { startTonNode } from '../../../kit/chain/ton/node.ts'
import { type RecordedTon, servedRecording, tonRecordings } from '../../../kit/chain/ton/recordings.ts'
import { testContext } from '../../../kit/context.ts'
import { openTestStore } from '../../../kit/store/store.ts'
import { insertRows } from '../../../kit/world/transactions.ts'
import { flagsOf } from '../../scoring/flags.kit.ts'

const recordings = tonRecordings()

/** A recorded transaction as the reference library reads it. */
type Read = { hash: string; account: string; tx: Transaction }

const readAll = ({ transactions }: RecordedTon): Read[] =>
  transactions.map(({ data, account, transaction_id: { hash } }) => ({
    hash: Buffer.from(hash, 'base64').toString('hex'),
    account: account.toLowerCase(),
    tx: loadTransaction(Cell.fromBase64(data).beginParse()),
  }))

const wentBack = ({ description }: Transaction): boolean =>
  description.type === 'generic' && description.bouncePhase?.type === 'ok'

type Fact = { from: string; to: string; amount: bigint }

/** Coins that arrived and stayed. */
const arrivals = (read: readonly Read[]): Fact[] =>
  read.flatMap(({ account, tx }): Fact[] => {
    const info = tx.inMessage?.info
    if (info?.type !== 'internal' || info.bounced || wentBack(tx) || info.value.coins === 0n) return []
    return [{ from: info.src.toRawString(), to: account, amount: info.value.coins }]
  })

/** Text beside coins, or beside jettons that an owner sends; empty without. */
const commentIn = ({ inMessage }: Transaction): string => {
  if (inMessage?.info.type !== 'internal' || inMessage.info.bounced) return ''
  let body = inMessage.body.beginParse()
  if (body.remainingBits < 32) return ''
  const op = body.loadUint(32)
  if (op === 0) return body.loadStringTail()
  if (op !== 0x0f8a7ea5 && op !== 0x7362d09c && op !== 0x05138d91) return ''
  body.skip(64)
  if (op !== 0x05138d91) body.loadCoins()
  body.loadAddressAny()
  if (op === 0x0f8a7ea5) {
    body.loadAddressAny()
    body.loadMaybeRef()
    body.loadCoins()
  }
  if (body.loadBit()) body = body.loadRef().beginParse()
  return body.remainingBits >= 32 && body.loadUint(32) === 0 ? body.loadStringTail() : ''
}

const sorted = (facts: readonly Fact[]) => facts.map(({ from, to, amount }) => `${from} ${to} ${amount}`).sort()

describe.skipIf(!recordings)(
  `recorded TON blocks${recordings ? '' : ' (skipped: no recorded answers at hand)'}`,
  () => {
    const blocks: { recorded: RecordedTon; block: Block; read: Read[] }[] = []
    const stops: (() => Promise<void>)[] = []
    beforeAll(async () => {
      for (const recorded of recordings!.blocks) {
        const chain = servedRecording(recorded)
        const node = await startTonNode(chain)
        stops.push(node.stop)
        const source = createTonSource({ context: testContext(), network: 'TON', urls: [node.url] })
        blocks.push({ recorded, block: (await source.block({ number: chain.height() }))!, read: readAll(recorded) })
      }
    })
    afterAll(async () => {
      for (const stop of stops) await stop()
    })

    test('the hash of each whole block is its root hash, including its proofs', () => {
      const roots = new Set(recordings!.blocks.map(({ id }) => id.root_hash))
      const found = recordings!.bags.map((bag) => hashOf(readBag(bag)).toString('base64'))
      expect(found.length).toBeGreaterThan(3)
      for (const hash of found) expect(roots).toContain(hash)
    })

    test('every transaction occurs once, with account, sender, fee and result', () => {
      let total = 0
      for (const { block, read } of blocks) {
        const facts = read.map(({ hash, account, tx: { inMessage, totalFees, description } }) => {
          const stopped =
            'computePhase' in description &&
            description.computePhase?.type === 'vm' &&
            !description.computePhase.success
          const undone = 'actionPhase' in description && description.actionPhase?.success === false
          const sender = inMessage?.info.type === 'internal' ? inMessage.info.src.toRawString() : account
          return `${hash} ${sender} ${account} ${totalFees.coins} ${stopped || undone ? 0 : 1}`
        })
        const rows = block.rows.transactions.map(
          ({ tx_hash, sender, receiver, fee, status }) => `${tx_hash} ${sender} ${receiver} ${fee} ${status}`,
        )
        expect(rows.toSorted()).toEqual(facts.toSorted())
        expect(block.rows.blocks).toMatchObject([{ transaction_count: read.length }])
        total += read.length
      }
      expect(total).toBeGreaterThan(1_000)
    })

    test('transferred coins equal the accepted messages, by party and amount', () => {
      for (const { block, read } of blocks) {
        const moved = block.rows.ledger
          .filter(({ kind, direction }) => kind === 'native' && direction === -1)
          .map(({ address: from, counterparty: to, amount }) => ({ from, to, amount: BigInt(amount) }))
        expect(sorted(moved)).toEqual(sorted(arrivals(read)))
        expect(block.rows.ledger.length).toBe(2 * moved.length)
      }
    })

    test('bounced messages are in no row: a recorded refusal and its bounce', () => {
      const all = blocks.flatMap(({ block, read }) => read.map((one) => ({ ...one, block })))
      const refused = all.filter(({ tx }) => wentBack(tx))
      const returned = all.filter(({ tx }) => tx.inMessage?.info.type === 'internal' && tx.inMessage.info.bounced)
      expect(refused.length).toBeGreaterThan(0)
      expect(returned.length).toBeGreaterThan(0)
      for (const { hash, block } of [...refused, ...returned]) {
        expect(block.rows.ledger.filter(({ tx_hash }) => tx_hash === hash)).toEqual([])
      }
    })

    test('comments are those of messages that are long enough to be text', () => {
      const written = blocks.flatMap(({ block }) => block.rows.transactions).filter(({ message }) => message !== '')
      const expected = blocks
        .flatMap(({ read }) => read)
        .map(({ tx }) => commentIn(tx))
        .filter((comment) => comment.length >= 20 && !/[^\P{C}\n\r\t]/u.test(comment))
      expect(expected.length).toBeGreaterThan(100)
      expect(written.map(({ message }) => message).toSorted()).toEqual(
        expected.map((comment) => comment.slice(0, 1_000)).toSorted(),
      )
    })

    test('accuses no recorded wallet', async () => {
      const kit = await openTestStore()
      try {
        for (const { block } of blocks) await insertRows(kit.store, block.rows)
        const touched = touchedAddresses(blocks.map(({ block }) => block))
        expect(touched.length).toBeGreaterThan(300)
        const rescore = createRescore({ context: testContext(), store: kit.store, model: createWalletModel() })
        const scored = await rescore.rescore('TON', touched, Date.UTC(2026, 0, 1))
        expect(scored.filter((one) => Object.keys(flagsOf(one)).length > 0)).toEqual([])
        expect(scored).toHaveLength(touched.length)
      } finally {
        await kit.close()
      }
    })

    test('jettons move only if the master confirms the wallet, so none move without a node to ask', () => {
      const transfers = blocks
        .flatMap(({ read }) => read)
        .filter(({ tx: { inMessage } }) => {
          const body = inMessage?.info.type === 'internal' ? inMessage.body.beginParse() : undefined
          return body && body.remainingBits >= 32 && body.loadUint(32) === 0x178d4519
        })
      expect(transfers.length).toBeGreaterThan(0)
      expect(blocks.flatMap(({ block }) => block.rows.ledger).filter(({ kind }) => kind !== 'native')).toEqual([])
    })
  },
)
