/** An index that begins late: what happened before its first block is real, but unseen. It convicts nobody and clears nobody. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingMessage, Producer } from '../../../../platform/bus/bus.ts'
import { MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { decodeRescore } from '../../../../schema/topics.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { beginsWithChain, loadPast } from '../../../../scorer/ledger/past/past.ts'
import { requeueAfterHistory } from '../../../../scorer/rescore/after-history.ts'
import { saveRecords } from '../../../../scorer/scoring/stored.ts'
import { testContext } from '../../../kit/context.ts'
import { writeLogsRead } from '../../../kit/labels/authority-logs.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../kit/world/transactions.ts'
import {
  act,
  approve,
  at,
  coin,
  ETH,
  flagsKit,
  flagsOf,
  life,
  listed,
  MILLION,
  move,
  pay,
  token,
} from '../flags.kit.ts'

const { score, store } = flagsKit()
/** First covered block where the index begins late. */
const FIRST = 1_000
const POOL = [...MIXER_POOLS.ETH.values()].find(
  (pool) => pool.asset === '' && pool.denomination === String(ETH),
)!.address

beforeEach(() => writeLogsRead(store(), 'ETH'))

const happened = (from: number, ...txs: (Tx | Tx[])[]) => insertRows(store(), rowsOf(txs.flat(), { from }))
const judged = async (name: string) => {
  const scored = (await score([name])).get(name)!
  const open = (flag: string) => scored.unknowns.find((text) => text.startsWith(`${flag}: the past`))
  return { scored, flags: flagsOf(scored), open }
}
/** With so many transactions before its first one here. */
const aged = ([first, ...rest]: Tx[], nonce = 7): Tx[] => (first ? [{ ...first, nonce }, ...rest] : [])

describe('a drain that is wholly inside the covered blocks', () => {
  const VICTIMS = ['v1', 'v2', 'v3']
  const drain = (victimOf: (name: string, block: number) => Tx[]): Tx[] => [
    ...aged([pay('thief', 'friend', FIRST, 0n)]),
    ...VICTIMS.flatMap((name, n) => [
      ...victimOf(name, FIRST + 1 + 3 * n),
      approve(name, 'thief', FIRST + 20 + n),
      token('thief', FIRST + 30 + n, move(name, 'sink', MILLION)),
    ]),
  ]

  test('convicts, however old the thief looks', async () => {
    await happened(FIRST, drain(life))
    const { flags, scored } = await judged('thief')
    expect(flags).toMatchObject({ phishing_activities: '1', stealing_attack: '1' })
    expect(scored.status).toBe('Fraud')
  })

  test('is unknown, not clear, where the victims are older than the index: who funded them and what they held is not seen', async () => {
    await happened(
      FIRST,
      drain((name, block) => life(name, block).map((tx) => (tx.from === at(name) ? { ...tx, nonce: 5 } : tx))),
    )
    const { flags, open } = await judged('thief')
    expect(flags).toEqual({})
    expect(open('phishing_activities')).toBeDefined()
    expect(open('stealing_attack')).toBeDefined()
    expect(open('number_of_malicious_contracts_created')).toBeDefined()
  })

  test('through a contract that is older than the index is unknown, not clear', async () => {
    await happened(
      FIRST,
      VICTIMS.flatMap((name, n) => [
        ...life(name, FIRST + 1 + 3 * n),
        approve(name, 'vault', FIRST + 20 + n),
        act('keeper', 'vault', FIRST + 30 + n, move(name, 'vault', MILLION)),
      ]),
    )
    const { flags, open } = await judged('vault')
    expect(flags).toEqual({})
    expect(open('phishing_activities')).toContain('it may have existed before block 1000')
  })
})

describe('the use of mixers', () => {
  const mixes = (name: string, nonce: number): Tx[] => [
    pay('payer', name, FIRST + 1, 3n * ETH),
    ...[0, 1].map(
      (n): Tx => ({
        ...pay(name, POOL, FIRST + 5 + n),
        nonce: nonce + n,
        call: true,
        actions: [{ do: 'authority', authority: POOL, event: 'mixer_deposit', subject: named(name) }],
      }),
    ),
  ]

  test('is a habit where the whole life is known', async () => {
    await happened(0, mixes('mixer', 0))
    expect((await judged('mixer')).flags).toEqual({ mixer: '1', data_source: 'mixer-habit' })
  })

  test.each([0, 40])('is unknown where more may have come before the first block, first number %i', async (nonce) => {
    await happened(FIRST, mixes('mixer', nonce))
    const { flags, open, scored } = await judged('mixer')
    expect(flags).toEqual({})
    expect(open('mixer')).toBeDefined()
    expect(scored.status).not.toBe('Fraud')
  })

  test('that never was stays clear: the logs of mixers are known from their beginning', async () => {
    await happened(FIRST, pay('payer', 'ann', FIRST + 1), pay('ann', 'shop', FIRST + 2, ETH / 2n))
    expect((await judged('ann')).open('mixer')).toBeUndefined()
  })
})

describe('an old wallet that looks new', () => {
  const once = (name: string, nonce: number): Tx => ({ ...pay(name, 'shop', FIRST + 1, 0n), nonce })
  const statusOf = async (name: string) => {
    const { scored, open } = await judged(name)
    return [scored.status, open('status')]
  }

  test('is not called new where the number of its first covered transaction shows that it is old', async () => {
    await happened(FIRST, once('old', 400), once('nearly', 8), once('ten', 9))
    expect(await statusOf('old')).toEqual(['Not Fraud', undefined])
    expect(await statusOf('ten')).toEqual(['Not Fraud', undefined])
    expect(await statusOf('nearly')).toEqual([
      'New Address',
      'status: the past of the wallet is not known (it signed 8 transactions before block 1000)',
    ])
  })

  test('may be old where nothing shows its age: it was only paid, or may have been', async () => {
    await happened(FIRST, pay('payer', 'paid', FIRST + 1), pay('payer', 'fresh', FIRST + 1), {
      ...once('fresh', 0),
      block: FIRST + 2,
    })
    for (const name of ['paid', 'fresh'])
      expect(await statusOf(name)).toEqual(['New Address', expect.stringContaining('before block 1000')])
  })

  test('is new where the index begins with the chain, whatever numbers its transactions have', async () => {
    await happened(0, once('young', 400))
    expect(await statusOf('young')).toEqual(['New Address', undefined])
  })
})

test('a listing and a label convict, whatever is not known of the wallet', async () => {
  await writeLabels(store(), [listed('bad', 'phishing')])
  await happened(FIRST, aged([pay('bad', 'shop', FIRST + 1)]))
  expect((await judged('bad')).flags).toMatchObject({ phishing_activities: '1' })
})

test('who signs a poisoning transfer is convicted; an address that only looks alike may be older than the index', async () => {
  const SHOP = '0x1f3a57be9d20c4186e7b52a90d3f8c6415e2b7a9'
  const LOOKALIKE = '0x1f3a57b04c9e6d1823a5f7b0c2e4d6185a79b3a9'
  await happened(
    FIRST,
    aged([pay('poisoner', 'friend', FIRST, 0n)]),
    token('bank', FIRST + 1, move('bank', 'victim', MILLION)),
    token('victim', FIRST + 2, move('victim', SHOP, 1_000n)),
    { ...token('poisoner', FIRST + 3, move('victim', LOOKALIKE, 0n)), selector: '0x23b872dd' },
  )
  expect((await judged('poisoner')).flags).toMatchObject({ phishing_activities: '1', data_source: 'address-poisoning' })
  const { flags, open } = await judged(LOOKALIKE)
  expect(flags).toEqual({})
  expect(open('phishing_activities')).toBeDefined()
})

test('a hot wallet that pays out what came in before the index is neither accused nor cleared', async () => {
  const customers = Array.from({ length: 30 }, (_, n) => `customer${n}`)
  await writeLabels(store(), [listed('thief', 'theft')])
  await happened(
    FIRST,
    customers.map((name, n) => ({ ...pay('hot', name, FIRST + n, 5n * ETH), nonce: 9_000 + n })),
    // All it received since: the deposit of a thief.
    pay('thief', 'hot', FIRST + 40, 2n * ETH),
  )
  const { flags, open, scored } = await judged('hot')
  expect(flags).toEqual({})
  expect(scored.probability).toBeLessThan(0.5)
  expect(open('money_laundering')).toContain('it signed 9000 transactions before block 1000')
  expect(open('probabilityFraud')).toBeDefined()
  expect(scored.reasons.map(({ code }) => code)).not.toContain('COMPARABLE_HISTORY')
})

test('suspicions that are shares of a part of a life convict nobody, and those of a whole life do', async () => {
  const dealings = (from: number): Tx[] => [
    pay('thief', 'ann', from + 1, 10n * ETH),
    act('thief', 'router', from + 2, coin('thief', 'ann', ETH)),
    ...Array.from({ length: 12 }, (_, n) => ({ ...pay('ann', 'thief', from + 3 + n, ETH / 2n), nonce: 7 + n })),
  ]
  await writeLabels(store(), [listed('thief', 'theft'), listed('ann', 'theft', { confidence: 0.5 })])
  await happened(0, dealings(0))
  const whole = (await judged('ann')).scored
  expect(whole.status).toBe('Fraud')
  await store().command('TRUNCATE TABLE first_blocks')
  await insertRows(store(), rowsOf([], { from: FIRST, head: FIRST }))
  const part = (await judged('ann')).scored
  expect(part.probability).toBeLessThan(whole.probability)
  expect(part.probability).toBeCloseTo(0.45, 10)
  expect(part.reasons.map(({ code }) => code)).toContain('FLAGGED_INFLOW')
})

test('the past of one wallet is told as the batch that scored it saw it', async () => {
  await happened(
    FIRST,
    pay('payer', 'ann', FIRST + 1),
    pay('ann', 'shop', FIRST + 2, ETH / 2n),
    aged([pay('old', 'shop', FIRST + 2, 0n)]),
    act('ann', '', FIRST + 3, { do: 'create', contract: named('made') }),
  )
  const past = async (name: string) => (await loadPast(store(), 'ETH', at(name))).past.kind
  expect(await Promise.all(['ann', 'made', 'old', 'shop', 'nobody'].map(past))).toEqual([
    'fresh',
    'fresh',
    'unknown',
    'unknown',
    'unknown',
  ])
  // Where the contract would be was known before: it can have been paid there in advance.
  expect((await judged('made')).open('probabilityFraud')).toContain('before it was created')
  for (const name of ['ann', 'old', 'made']) {
    const open = (await judged(name)).open('probabilityFraud')
    expect(open === undefined, name).toBe((await past(name)) === 'whole')
  }
})

test('wallets that were open are queued again once the index begins with the chain', async () => {
  await happened(FIRST, aged([pay('ann', 'shop', FIRST + 1)]))
  await saveRecords(store(), [(await judged('ann')).scored])
  const ended = new AbortController()
  const queued: OutgoingMessage[] = []
  const send: Producer['send'] = async (sends) => {
    queued.push(...sends.flatMap(({ messages }) => messages))
    ended.abort()
  }
  const { clock, log } = testContext()
  expect(await beginsWithChain(store(), 'ETH')).toBe(false)
  await insertRows(store(), rowsOf([], { head: 0 }))
  await requeueAfterHistory(
    { context: { clock, log }, store: store(), producer: { send }, network: 'ETH' },
    ended.signal,
  )
  expect(queued.flatMap(({ value }) => decodeRescore(value!))).toEqual([at('ann')])
})

test('on an index that begins with the chain nothing is open for want of a past', async () => {
  await happened(0, aged([pay('ann', 'shop', 5)]))
  expect((await judged('ann')).scored.unknowns.filter((text) => text.includes('the past'))).toEqual([])
})
