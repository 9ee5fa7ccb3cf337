/** Nobody moves a stranger's verdict by sending dust: what arrives unasked changes neither status nor probability. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NETWORKS } from '../../../schema/networks.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { SERVICE_COUNTERPARTIES } from '../../../scorer/ledger/labels/guard.ts'
import type { Tx } from '../../kit/world/transactions.ts'
import { flagsKit, flagsOf } from './flags.kit.ts'

const { happened, score } = flagsKit()
const ETH = 10n ** 18n
const DUST = NETWORKS.ETH.nativeCoin.dust
/** Addresses as random as real ones: such as look alike poison each other. */
const addressOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`
const SPAM = addressOf('spam')
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
/** Who is listed while the lives below are lived: dealings with it weigh by their share of all value. */
const LISTED: Tx = {
  from: addressOf('boss'),
  to: ORACLE,
  block: 0,
  call: true,
  actions: [{ do: 'authority', authority: ORACLE, event: 'sanction_add', subject: addressOf('party 0') }],
}

/** What a wallet did, and was paid, on purpose; when, and how much. */
const deed = fc.record({
  way: fc.constantFrom('pays', 'calls', 'fails', 'is paid', 'is paid', 'gets tokens'),
  block: fc.integer({ min: 1, max: 400 }),
  party: fc.integer({ min: 0, max: 5 }),
  amount: fc.bigInt({ min: DUST, max: 3n * ETH }),
})
/** What strangers do to it, at any time, before its first payment too. */
const dustPayment = fc.record({
  way: fc.constantFrom('dust', 'empty call', 'spam token', 'nothing of a token', 'nft', 'dust inside a call'),
  block: fc.integer({ min: 1, max: 500 }),
  stranger: fc.integer({ min: 0, max: 400 }),
  amount: fc.bigInt({ min: 1n, max: DUST - 1n }),
})
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never
type DustPayment = typeof dustPayment extends fc.Arbitrary<infer T> ? T : never

const lived = (who: string, { way, block, party, amount }: Deed): Tx => {
  const other = addressOf(`party ${party}`)
  const self = addressOf(who)
  if (way === 'pays') return { from: self, to: other, block, value: amount }
  if (way === 'calls') return { from: self, to: other, block, call: true }
  if (way === 'fails') return { from: self, to: other, block, call: true, failed: true }
  if (way === 'is paid') return { from: other, to: self, block, value: amount }
  const asset = addressOf('coin')
  return { from: other, to: asset, block, call: true, actions: [{ do: 'token', from: other, to: self, asset, amount }] }
}

const received = (who: string, { way, block, stranger, amount }: DustPayment): Tx => {
  const from = addressOf(`stranger ${stranger}`)
  const to = addressOf(who)
  if (way === 'dust') return { from, to, block, value: amount }
  if (way === 'empty call') return { from, to, block, call: true }
  const through = { from, to: SPAM, block, call: true }
  if (way === 'dust inside a call') return { ...through, actions: [{ do: 'internal', from: SPAM, to, amount }] }
  if (way === 'nft') return { ...through, actions: [{ do: 'nft', from, to, asset: SPAM, id: amount }] }
  const sent = way === 'spam token' ? amount : 0n
  return { ...through, actions: [{ do: 'token', from, to, asset: SPAM, amount: sent }] }
}

test('dust, empty calls and spam tokens change neither status nor probability nor flags, however many come', async () => {
  const lives = fc.array(
    fc.record({
      deeds: fc.array(deed, { minLength: 1, maxLength: 14 }),
      payments: fc.array(dustPayment, { minLength: 1, maxLength: 40 }),
    }),
    { minLength: 25, maxLength: 25 },
  )
  await fc.assert(
    fc.asyncProperty(lives, async (all) => {
      await happened(
        LISTED,
        all.flatMap(({ deeds, payments }, n) => [
          ...deeds.flatMap((one) => [lived(`plain ${n}`, one), lived(`dusted ${n}`, one)]),
          ...payments.map((one) => received(`dusted ${n}`, one)),
        ]),
      )
      const scored = await score(all.flatMap((_, n) => [addressOf(`plain ${n}`), addressOf(`dusted ${n}`)]))
      for (const n of all.keys()) {
        const [plain, dusted] = [scored.get(addressOf(`plain ${n}`)), scored.get(addressOf(`dusted ${n}`))]
        expect([dusted!.status, dusted!.probability, flagsOf(dusted)]).toEqual([
          plain!.status,
          plain!.probability,
          flagsOf(plain),
        ])
      }
    }),
    { numRuns: 5, endOnFailure: true },
  )
})

test('nine transactions and any number of dust payments make a New Address; a tenth payment makes it known', async () => {
  const nine = Array.from(
    { length: 9 },
    (_, n): Tx => ({ from: addressOf('ann'), to: addressOf('bob'), block: n, value: 1n }),
  )
  const payments = Array.from({ length: 30 }, (_, n) =>
    received('ann', { way: n % 2 ? 'dust' : 'empty call', block: n, stranger: n, amount: DUST - 1n }),
  )
  await happened(nine, payments)
  expect((await score([addressOf('ann')])).get(addressOf('ann'))!.status).toBe('New Address')
  await happened({ from: addressOf('bob'), to: addressOf('ann'), block: 40, value: DUST })
  expect((await score([addressOf('ann')])).get(addressOf('ann'))!.status).toBe('Not Fraud')
})

test('nobody buys the guard of a service with dust and with tokens that name strangers', async () => {
  const thief = addressOf('thief')
  const usd = addressOf('usd')
  const owners = ['v1', 'v2', 'v3'].map(addressOf)
  const robbery = owners.flatMap((owner, n): Tx[] => [
    // Who never paid anybody might be a deposit address.
    { from: owner, to: addressOf(`shop ${n}`), block: 1, value: ETH },
    {
      from: addressOf('bank'),
      to: usd,
      block: 1,
      actions: [{ do: 'token', from: addressOf('bank'), to: owner, asset: usd, amount: 100n }],
    },
    {
      from: owner,
      to: usd,
      block: 2 + n,
      actions: [{ do: 'approve', owner, spender: thief, asset: usd, amount: 100n }],
    },
    {
      from: thief,
      to: usd,
      block: 10 + n,
      actions: [{ do: 'token', from: owner, to: thief, asset: usd, amount: 100n }],
    },
  ])
  const strangers = Array.from({ length: SERVICE_COUNTERPARTIES }, (_, n) => addressOf(`stranger ${n}`))
  const dust = strangers
    .slice(0, 9_000)
    .map((from, n): Tx => ({ from, to: thief, block: 20 + (n % 50), value: DUST - 1n }))
  const dustPayments = strangers
    .slice(0, 1_500)
    .map((to, n): Tx => ({ from: thief, to, block: 80 + (n % 50), value: 1n }))
  const named = (block: number, from: string, pair: (stranger: string) => { from: string; to: string }): Tx => ({
    from,
    to: SPAM,
    block,
    call: true,
    actions: strangers.map((stranger) => ({ do: 'token', ...pair(stranger), asset: SPAM, amount: 1n })),
  })
  await happened(
    robbery,
    dust,
    dustPayments,
    named(140, addressOf('accomplice'), (from) => ({ from, to: thief })),
    named(141, addressOf('accomplice'), (to) => ({ from: thief, to })),
  )
  const scored = (await score([thief])).get(thief)
  expect(flagsOf(scored)).toMatchObject({ stealing_attack: '1' })
  expect(scored).toMatchObject({ status: 'Fraud', probability: 1 })
})

test('a dust payment before the first payment makes nobody the funder', async () => {
  const fresh = addressOf('fresh')
  await happened(
    LISTED,
    { from: addressOf('passer-by'), to: fresh, block: 1, value: DUST - 1n },
    { from: addressOf('party 0'), to: fresh, block: 2, value: ETH },
    { from: addressOf('other'), to: fresh, block: 3, value: ETH },
  )
  const { reasons } = (await score([fresh])).get(fresh)!
  expect(reasons.find(({ code }) => code === 'FUNDER_FLAGGED')?.evidence).toMatchObject({
    funder: addressOf('party 0'),
  })
})
