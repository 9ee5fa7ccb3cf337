import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/solana/decode/index.ts'
import { rawTransaction } from '../../../../indexer/source/solana/raw.ts'
import type { LedgerRow } from '../../../../schema/block.ts'
import { protocolsOf } from '../../../../schema/registry/protocols.ts'
import { verbOf } from '../../../../scorer/profile/verbs.ts'
import { type Change, changesOf, verbOfLog } from '../../../e2e/recorded/solana.facts.ts'
import { fixturesFolder } from '../../../kit/chain/recorded-chain.ts'
import { recordedBlocks, recordedTransactions } from '../../../kit/chain/solana/recorded-solana.ts'
import { openTestStore } from '../../../kit/store/store.ts'

const folder = fixturesFolder('solana')
const decode = (transactions: unknown[]) =>
  decodeBlock('SOLANA', {
    slot: 2_000,
    number: 1_000,
    time: 1_700_000_000,
    hash: 'hash',
    parentHash: 'parent',
    transactions: transactions.map((one) => rawTransaction.safeParse(one).data),
  }).rows

/** What the rows of a ledger say every party has more or less of. Mints are left out: tokens come from and go to them. */
const netOf = (ledger: readonly LedgerRow[]): Map<Change, bigint> => {
  const net = new Map<Change, bigint>()
  for (const { address, asset, direction, amount } of ledger) {
    if (asset !== '' && address === asset) continue
    const key: Change = `${address} ${asset}`
    const sum = (net.get(key) ?? 0n) + BigInt(direction) * BigInt(amount)
    if (sum === 0n) net.delete(key)
    else net.set(key, sum)
  }
  return net
}
const sorted = (changes: Map<Change, bigint>) => [...changes].map(([key, amount]) => `${key} ${amount}`).sort()

describe.skipIf(!folder)('recorded transactions (skipped without recorded data)', () => {
  const recorded = folder ? recordedTransactions(folder) : []

  test.each(recorded.map((one) => [one.transaction.transaction.signatures[0].slice(0, 16), one.transaction]))(
    '%s moves the amounts of its balances',
    (_, transaction) => {
      const rows = decode([transaction])
      expect(rows.blocks).toMatchObject([{ sees_traces: 1 }])
      expect(sorted(netOf(rows.ledger))).toEqual(sorted(changesOf(transaction)))
      expect(rows.transactions).toMatchObject([
        {
          sender: transaction.transaction.message.accountKeys[0],
          fee: String(transaction.meta.fee),
          status: transaction.meta.err === null ? 1 : 0,
        },
      ])
    },
  )

  test('the recorded data has legacy and versioned transactions, loaded addresses, failures and tokens', () => {
    const { transactions, ledger } = decode(recorded.map(({ transaction }) => transaction))
    expect(transactions.length).toBeGreaterThanOrEqual(35)
    expect(new Set(transactions.map(({ type }) => type))).toEqual(new Set([0, 0x80]))
    expect(new Set(ledger.map(({ kind }) => kind))).toEqual(new Set(['native', 'internal', 'fungible', 'nft', 'wrap']))
  })

  test('every recorded transfer has both parties', () => {
    const { ledger } = decode(recorded.map(({ transaction }) => transaction))
    expect(ledger.length).toBeGreaterThan(300)
    expect(ledger.filter(({ counterparty }) => counterparty === '')).toEqual([])
  })

  test('reads the purpose of transactions from the logs of programs', () => {
    const known = protocolsOf('SOLANA')
    const verbs = recorded.map(({ transaction }) => {
      const [row] = decode([transaction]).transactions
      const protocol = known.get(row?.receiver ?? '')
      return protocol && verbOf(protocol, row?.selector ?? '')
    })
    expect(verbs).toEqual(recorded.map(({ transaction }) => verbOfLog(transaction)))
    const count = (verb: string) => verbs.filter((one) => one === verb).length
    expect(['trade', 'farm', 'lend', 'nft', 'stake'].map(count)).toEqual([10, 1, 1, 1, 1])
  })

  test('the query of the cookbook finds every logged trade with amounts from balances', async () => {
    const page = readFileSync(new URL('../../../../docs/use/cookbook.md', import.meta.url), 'utf8')
    const statement = /### 23\..*?```sql\n(.*?)```/s.exec(page)![1]!
    const kit = await openTestStore()
    try {
      const { transactions, ledger, swaps, blocks } = decode(recorded.map(({ transaction }) => transaction))
      for (const [table, rows] of Object.entries({ transactions, ledger, swaps, blocks })) {
        await kit.store.insert(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      }
      const trades = recorded.filter(({ transaction }) => verbOfLog(transaction) === 'trade')
      expect(trades).toHaveLength(10)
      let found = 0
      for (const wallet of new Set(transactions.map(({ sender }) => sender))) {
        const asked = statement.replaceAll('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', wallet)
        const rows = await kit.store.query<{ sold: string; sold_raw: string; bought: string; bought_raw: string }>(
          asked,
        )
        const changes = trades
          .filter(({ transaction }) => transaction.transaction.message.accountKeys[0] === wallet)
          .map(({ transaction }) => changesOf(transaction))
        expect(rows).toHaveLength(changes.length)
        for (const { sold, sold_raw, bought, bought_raw } of rows) {
          const told = changes.some(
            (one) =>
              one.get(`${wallet} ${sold}`) === -BigInt(sold_raw) &&
              one.get(`${wallet} ${bought}`) === BigInt(bought_raw),
          )
          expect({ wallet, sold, bought, told }).toEqual({ wallet, sold, bought, told: true })
          found += 1
        }
      }
      expect(found).toBe(10)
      // Pools that nobody announced: their swaps name program and tokens.
      const listed = await kit.store.query<{ project: string; sold: string | null; amount_usd: number | null }>(
        "SELECT project, version, project_contract_address AS pool, token_sold_symbol AS sold, token_sold_amount AS gave, token_bought_address AS bought, token_bought_amount_raw AS got, amount_usd FROM dex_trades WHERE blockchain = 'SOLANA' ORDER BY position",
      )
      expect(listed).toHaveLength(swaps.length)
      expect(new Set(listed.map(({ project }) => project))).toEqual(new Set(['raydium', 'orca', 'meteora', 'pump.fun']))
      const stock = 'XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB'
      expect(listed.find((one) => 'bought' in one && one.bought === stock)).toEqual({
        ...{ project: 'raydium', version: '', pool: 'HHQUnUbmWLrYzkscDY1C3deEFbGtiGBGoHjpANogmvum' },
        ...{ sold: 'USDC', gave: 20, bought: stock, got: '4466643', amount_usd: 20 },
      })
    } finally {
      await kit.close()
    }
  })

  test.each(folder ? recordedBlocks(folder).map(({ name, block }) => [name.slice(22), block]) : [])(
    'block %s, truncated and edited by its recorder, is read or reported as incomplete',
    (_, block) => {
      const rows = decode(block.transactions)
      const unread = block.transactions.length - rows.transactions.length
      if (unread > 0) expect(rows.blocks).toMatchObject([{ sees_traces: 0 }])
    },
  )
})
