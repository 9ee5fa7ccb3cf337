/** What authorities did before the first covered block, and what follows where that is not known. */
import { beforeEach, expect, test } from 'vitest'
import { ADDRESSES } from '../../../../deploy/demo/contracts/contracts.ts'
import type { Producer } from '../../../../platform/bus/bus.ts'
import type { AuthorityRow } from '../../../../schema/block.ts'
import { positionOf } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { authorityLogsOf } from '../../../../schema/registry/index.ts'
import { decodeRescore } from '../../../../schema/topics.ts'
import type { Asked } from '../../../../scorer/ledger/authorities/ask.ts'
import { requeueAfterLogs } from '../../../../scorer/rescore/after-logs.ts'
import { testContext } from '../../../kit/context.ts'
import { writeLogsRead } from '../../../kit/labels/authority-logs.ts'
import { insertRows, rowsOf, type Tx } from '../../../kit/world/transactions.ts'
import { at, ETH, evidenceOf, flagsKit, flagsOf, NOW, pay, USDC } from '../flags.kit.ts'

const { score, store, judge } = flagsKit()
const ORACLE = ADDRESSES.sanctionsOracle.toLowerCase()
const POOL = ADDRESSES.mixerPool.toLowerCase()
/** First block that the index covers. */
const FIRST = 1_000

beforeEach(() => writeLogsRead(store(), 'ETH'))

const event = (
  block: number,
  name: AuthorityRow['event'],
  subject: string,
  over: Partial<AuthorityRow> = {},
): AuthorityRow => ({
  network: 'ETH',
  block_number: block,
  block_time: 1_700_000_000 + block,
  position: positionOf(block, 0, 2 ** 18),
  tx_hash: `0x${block.toString(16)}`,
  authority: name.startsWith('sanction') ? ORACLE : name.startsWith('mixer') ? POOL : USDC,
  event: name,
  subject: at(subject),
  actor: at('keeper'),
  amount: '0',
  detail: '',
  ...over,
})
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const past = (...rows: AuthorityRow[]) => store().insert('authority_past', lines(rows))
const streamed = (...rows: AuthorityRow[]) => store().insert('authority', lines(rows))
const block = (number: number) =>
  store().insert(
    'blocks',
    lines([
      {
        network: 'ETH',
        block_number: number,
        block_time: 1_700_000_000 + number,
        block_hash: `0xb${number}`,
        parent_hash: `0xb${number - 1}`,
        transaction_count: 1,
        sees_traces: 1,
      },
    ]),
  )
const happened = (...txs: Tx[]) => insertRows(store(), rowsOf(txs, { from: FIRST }))
const flags = async (name: string) => flagsOf((await score([name])).get(name))
const unknown = async (name: string, flag: string) =>
  (await score([name])).get(name)!.unknowns.find((text) => text.startsWith(`${flag}:`))

test('a listing and a freeze from before the first block count, with their transactions as evidence', async () => {
  await block(FIRST)
  await happened(pay('listed', 'shop', FIRST + 1), pay('frozen', 'shop', FIRST + 1))
  await past(event(10, 'sanction_add', 'listed'), event(20, 'freeze', 'frozen'))
  const scored = await score(['listed', 'frozen', 'shop'])
  expect(scored.get('listed')).toMatchObject({ status: 'Fraud', probability: 1 })
  expect(flagsOf(scored.get('listed'))).toMatchObject({ sanctioned: '1', data_source: 'sanctions-oracle' })
  expect(evidenceOf(scored.get('listed'), 'SANCTIONED')).toMatchObject({ authority: ORACLE, transaction: '0xa' })
  expect(flagsOf(scored.get('frozen'))).toMatchObject({ blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(flagsOf(scored.get('shop'))).toEqual({})
})

test('a wallet that is listed and never moved since is answered, and its partners are exposed', async () => {
  await block(FIRST)
  await happened(pay('ann', 'listed', FIRST + 1), pay('bob', 'shop', FIRST + 1))
  await past(event(10, 'sanction_add', 'listed'), event(10, 'sanction_add', 'silent'))
  expect((await score(['silent'])).get('silent')).toMatchObject({ seen: true, status: 'Fraud' })
  const scored = await score(['ann', 'bob'])
  const exposed = (name: string) => JSON.stringify(scored.get(name)!.reasons).includes(at('listed'))
  expect([exposed('ann'), exposed('bob')]).toEqual([true, false])
})

test('the newest event decides, on whichever side of the first block it is', async () => {
  await block(FIRST)
  await past(
    event(10, 'sanction_add', 'early'),
    event(20, 'sanction_remove', 'early'),
    event(30, 'sanction_add', 'late'),
    event(40, 'sanction_remove', 'again'),
  )
  await streamed(event(FIRST + 5, 'sanction_remove', 'late'), event(FIRST + 6, 'sanction_add', 'again'))
  expect(await flags('early')).toEqual({})
  expect(await flags('late')).toEqual({})
  expect(await flags('again')).toMatchObject({ sanctioned: '1' })
})

test('rows that come twice, or that a backfill brings as well, count once', async () => {
  await block(FIRST)
  const seized = [event(10, 'freeze', 'frozen'), event(11, 'seize', 'frozen')]
  await past(...seized)
  await past(...seized)
  expect(evidenceOf((await score(['frozen'])).get('frozen'), 'BLACKLIST_DOUBT')).toMatchObject({ seizures: 1 })
  await block(5)
  await streamed(...seized)
  expect(evidenceOf((await score(['frozen'])).get('frozen'), 'BLACKLIST_DOUBT')).toMatchObject({ seizures: 1 })
})

test('a row of the past tier at a covered height does not count: the stream has the word', async () => {
  await block(FIRST)
  await happened(pay('ann', 'bob', FIRST + 1))
  await past(event(FIRST, 'sanction_add', 'ann'), event(FIRST + 7, 'sanction_add', 'ann'))
  expect(await flags('ann')).toEqual({})
})

test('where a log is not complete the flag is unknown, with the reason, and never clear', async () => {
  await happened(pay('ann', 'bob', FIRST + 1))
  await store().command('TRUNCATE TABLE authority_logs')
  expect(await unknown('ann', 'sanctioned')).toContain('not complete (Chainalysis sanctions oracle: it was not read)')
  expect(await unknown('ann', 'blacklist_doubt')).toContain('(USDT, XAUT, EURT and 11 others: it was not read)')
  expect(await unknown('ann', 'mixer')).toContain('not complete')

  const missing = 'no endpoint has logs of blocks below 700'
  await writeLogsRead(store(), 'ETH', { from_block: 700, to_block: FIRST, complete: 0, reason: missing })
  expect(await unknown('ann', 'sanctioned')).toContain(missing)

  // Read without a hole, but not as far as the stream begins.
  await writeLogsRead(store(), 'ETH', { to_block: FIRST - 10 })
  expect(await unknown('ann', 'sanctioned')).toContain('it is being read')

  await writeLogsRead(store(), 'ETH', { to_block: FIRST })
  for (const flag of ['sanctioned', 'blacklist_doubt', 'mixer']) expect(await unknown('ann', flag)).toBeUndefined()
})

test('what is known convicts although the log is not complete', async () => {
  await happened(pay('ann', 'bob', FIRST + 1))
  await store().command('TRUNCATE TABLE authority_logs')
  await past(event(900, 'sanction_add', 'ann'))
  expect(await flags('ann')).toMatchObject({ sanctioned: '1' })
})

test('a pool that was used before the first block is a mixer, and a habit of that time is unknown, not clear', async () => {
  const own = (number: number, name: string) =>
    event(number, 'mixer_deposit', name, { actor: at(name), amount: ETH.toString() })
  await happened(pay('ann', POOL, FIRST + 1), pay('bob', 'shop', FIRST + 1))
  await past(own(10, 'ann'), own(11, 'ann'))
  expect(flagsOf((await score([POOL])).get(POOL))).toEqual({ mixer: '1', data_source: 'mixer-registry' })
  expect(await flags('ann')).toEqual({})
  expect(await unknown('ann', 'mixer')).toContain('used mixers twice, partly before the first covered block')
  expect(await unknown('bob', 'mixer')).toBeUndefined()
})

test('withdrawals of that time are unknown too, although the wallet was not seen to send anything since', async () => {
  const withdrawn = (number: number) =>
    event(number, 'mixer_withdraw', 'ann', { actor: at('ann'), amount: ETH.toString() })
  await happened(pay('payer', 'ann', FIRST + 1))
  await past(withdrawn(10), withdrawn(11))
  expect(await flags('ann')).toEqual({})
  expect(await unknown('ann', 'mixer')).toContain('used mixers twice, partly before the first covered block')
})

test('listings of other networks count, so their logs have to be complete too where those networks are indexed', async () => {
  await insertRows(store(), rowsOf([pay('ann', 'bob', FIRST + 1)], { network: 'HAQQ', from: FIRST }))
  await store().command('TRUNCATE TABLE authority_logs')
  const of = async (network: Network, flag: string) =>
    (await score(['ann'], network)).get('ann')!.unknowns.find((text) => text.startsWith(`${flag}:`))

  // Nothing of Ethereum is indexed: nobody claims to know its listings.
  expect(await of('HAQQ', 'sanctioned')).toBeUndefined()

  await block(FIRST)
  expect(await of('HAQQ', 'sanctioned')).toContain(
    'not complete (Chainalysis sanctions oracle: it was not read) on ETH',
  )
  expect(await of('HAQQ', 'blacklist_doubt')).toContain('on ETH')
  expect(await of('HAQQ', 'mixer')).not.toContain('on ETH')

  await writeLogsRead(store(), 'ETH')
  for (const flag of ['sanctioned', 'blacklist_doubt']) expect(await of('HAQQ', flag)).toBeUndefined()
})

test('a "no" at the head of one network does not stand for the logs of another', async () => {
  await happened(pay('ann', 'bob', FIRST + 1))
  await store().command('TRUNCATE TABLE authority_logs')
  await writeLogsRead(store(), 'BNB', { to_block: 5, complete: 0 })
  const no: Asked = {
    answer: {
      listings: [],
      height: FIRST + 10,
      clear: new Set(authorityLogsOf('ETH').map(({ authority }) => authority)),
      denied: new Set(),
    },
  }
  const [verdict] = await judge().rescore('ETH', [at('ann')], NOW, { asking: Promise.resolve(no) })
  const about = (flag: string) => verdict!.unknowns.find((text) => text.startsWith(`${flag}:`))
  // Authorities of BNB speak of the same keys.
  for (const flag of ['blacklist_doubt', 'sanctioned']) expect(about(flag)).toMatch(/not complete .* on BNB/)
})

test('a listing of a log that is still being read is taken back by a "no" of the authority at the head, and by nobody else', async () => {
  await block(FIRST)
  await happened(pay('released', 'shop', FIRST + 1))
  await past(event(10, 'freeze', 'released'))
  const freeze = async (clear: readonly string[], height: number, denied = clear) => {
    const answer = { listings: [], height, clear: new Set(clear), denied: new Set(denied) }
    const [verdict] = await judge().rescore('ETH', [at('released')], NOW, { asking: Promise.resolve({ answer }) })
    return flagsOf(verdict).blacklist_doubt ?? '0'
  }
  const issuers = authorityLogsOf('ETH').map(({ authority }) => authority)
  await writeLogsRead(store(), 'ETH', { to_block: 10, complete: 0 })
  expect(await freeze(issuers, FIRST + 10)).toBe('0')
  // A node behind the tables, one that has no such contract, another authority, and a log that knows better.
  expect(await freeze(issuers, FIRST + 10, [])).toBe('1')
  expect(await freeze(issuers, FIRST - 1)).toBe('1')
  expect(
    await freeze(
      issuers.filter((one) => one !== USDC),
      FIRST + 10,
    ),
  ).toBe('1')
  await writeLogsRead(store(), 'ETH')
  expect(await freeze(issuers, FIRST + 10)).toBe('1')
})

/** Looks for unsure wallets until `ends` holds, on a bus where others queue and score all the time. */
const requeued = async (network: Network, look: (looks: number, queued: readonly string[]) => Promise<boolean>) => {
  const queued: string[] = []
  const stop = new AbortController()
  let looks = 0
  let now = 0
  let sent = 0
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
      looks += 1
      if (looks > 100 || (await look(looks, queued))) stop.abort()
    },
  }
  const bus = {
    // What is queued is scored 40 looks later, and there is always something to score.
    offsets: async () => [{ partition: 0, first: 0n, next: BigInt(100 * looks + sent) }],
    lag: async () => 4_000n,
  }
  const producer: Pick<Producer, 'send'> = {
    send: async (sends) => {
      for (const { value } of sends.flatMap(({ messages }) => messages)) queued.push(...decodeRescore(value))
      sent += 1
    },
  }
  const context = { ...testContext(), clock }
  await requeueAfterLogs({ context, store: store(), bus, producer, groupId: 'scoring', network }, stop.signal)
  return queued
}
let recordVersion = 1
const recorded = (name: string, unknowns: string[], network: Network = 'ETH') =>
  store().insert(
    'wallet_records',
    lines([
      {
        ...{
          network,
          address: at(name),
          version: ++recordVersion,
          status: 'Not Fraud',
          probability: 0,
          body: '{}',
        },
        ...{ reasons: '[]', unknowns, model_version: '1', data_height: 1, created_at: 1, computed_at: 1 },
      },
    ]),
  )
const UNSURE = ['sanctioned: the log of the authority is not complete (X: it is being read)']

test('unsure wallets are queued once when the logs are complete, however busy the network is', async () => {
  await block(FIRST)
  await writeLogsRead(store(), 'ETH', { to_block: 5, complete: 0 })
  await recorded('ann', UNSURE)
  await recorded('bob', ['another reason'])
  let completeAt = 0
  const queued = await requeued('ETH', async (looks, so) => {
    if (looks === 5) {
      expect(so).toEqual([])
      await writeLogsRead(store(), 'ETH')
      completeAt = looks
    }
    // Scored in the end; a verdict that was under way when the logs became complete is stored later.
    if (looks === completeAt + 39) await recorded('ann', [])
    if (looks === completeAt + 41) await recorded('cid', UNSURE)
    return looks > completeAt + 41 && so.includes(at('cid'))
  })
  expect(queued).toEqual([at('ann'), at('cid')])
})

test('a network without authorities of its own waits for those whose listings it takes over', async () => {
  await block(FIRST)
  await writeLogsRead(store(), 'ETH', { to_block: 5, complete: 0 })
  await recorded('ann', UNSURE, 'HAQQ')
  const queued = await requeued('HAQQ', async (looks, so) => {
    if (looks === 5) {
      expect(so).toEqual([])
      await writeLogsRead(store(), 'ETH')
    }
    return so.length > 0
  })
  expect(queued).toEqual([at('ann')])
})

test('one log that is never complete does not keep wallets unsure of another', async () => {
  await block(FIRST)
  await recorded('ann', UNSURE)
  const partly = (over: object) => writeLogsRead(store(), 'ETH', { to_block: 5, complete: 0, ...over })
  await partly({})
  const queued = await requeued('ETH', async (looks) => {
    if (looks === 5) await writeLogsRead(store(), 'ETH', {}, ({ list }) => list === 'sanctions')
    return looks === 60
  })
  expect(queued).toEqual([at('ann')])
})
