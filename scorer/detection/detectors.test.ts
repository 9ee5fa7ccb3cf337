import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALL_READ } from '../ledger/authorities/coverage.ts'
import { emptyWallet } from '../ledger/features/wallet.ts'
import { type Past, WHOLE } from '../ledger/past/past.ts'
import { amountOf } from '../ledger/prices/amounts.ts'
import { createLoadContext, type LoadContext } from './context.ts'
import { type Need, networksFor, pastsNeeded } from './coverage.ts'
import { convicted, FAMILIES, suspected } from './detector.ts'
import { type Answer, DETECTORS, type Detector, type Subject } from './index.ts'
import { limitedByPast } from './past.ts'
import { runDetectors } from './run.ts'

const here = (path: string) => new URL(path, import.meta.url)
const all: readonly Detector[] = DETECTORS

test('every detector has its own folder, README and id, and every folder with a detector is listed', () => {
  const folders = FAMILIES.flatMap((family) =>
    readdirSync(here(family)).flatMap((id) =>
      existsSync(here(`${family}/${id}/detector.ts`)) ? [`${family}/${id}`] : [],
    ),
  )
  expect(all.map(({ family, id }) => `${family}/${id}`).sort()).toEqual(folders.sort())
  for (const folder of folders) expect(existsSync(here(`${folder}/README.md`)), folder).toBe(true)
})

test('a detector states its exclusions, its blind spots and its confidence', () => {
  for (const { id, exclusions, doc, confidence } of all) {
    expect(exclusions.length, id).toBeGreaterThan(0)
    expect(doc.takes.length, id).toBeGreaterThan(0)
    expect(doc.cannotSee.length, id).toBeGreaterThan(0)
    for (const value of Object.values(confidence)) expect(value > 0 && value <= 1, id).toBe(true)
  }
})

test('an amount in evidence is an Amount: numbers under unknown names, integers and raw text do not compile', () => {
  const finding = { grade: 'some', title: 'Did it' }
  const loot = amountOf('ETH', '', 1n)
  expect(convicted([{ ...finding, evidence: { victims: 3, share: 0.5, loot, list: [{ amount: loot }] } }])).toEqual({
    kind: 'convicted',
    findings: [{ ...finding, evidence: { victims: 3, share: 0.5, loot, list: [{ amount: loot }] } }],
  })
  // @ts-expect-error: a number is an amount until its name is listed
  convicted([{ ...finding, evidence: { loot: 1 } }])
  // @ts-expect-error: what JSON cannot hold
  convicted([{ ...finding, evidence: { victims: 3n } }])
  // @ts-expect-error: base units as text have no unit
  suspected([{ ...finding, evidence: { list: [{ amount: '1' }] } }])
  // @ts-expect-error: nobody knows what it holds
  suspected([{ ...finding, evidence: { found: {} as unknown } }])
})

test('a detector comes after those whose results it reads', () => {
  for (const [nth, { id, after }] of all.entries())
    for (const other of after)
      expect(
        all.findIndex((one) => one.id === other.id),
        `${id} after ${other.id}`,
      ).toBeLessThan(nth)
})

const batch = {} as Omit<LoadContext, 'once'>
const detector = (id: string, over: Partial<Detector>): Detector => ({
  id,
  version: 1,
  family: 'theft',
  offence: id,
  needs: [],
  after: [],
  infrastructure: 'unknown',
  judge: () => ({ kind: 'clear' }),
  exclusions: [],
  confidence: {},
  doc: { summary: '', takes: [], cannotSee: [] },
  ...over,
})

test('results are loaded once, and only of declared detectors that come before', async () => {
  let loads = 0
  const first = detector('first', {
    load: async () => {
      loads++
      return new Map([['a', 1]])
    },
  })
  const reads = detector('reads', { after: [first], load: (_, results) => results.of(first) })
  const context = createLoadContext(batch)
  const found = runDetectors([first, reads, detector('again', { after: [first], load: reads.load! })], context)
  expect(await found.get('reads')).toEqual(new Map([['a', 1]]))
  expect(loads).toBe(1)
  expect(() => runDetectors([first, { ...reads, after: [] }], context)).toThrow('reads reads first')
  expect(() => runDetectors([reads, first], context)).toThrow('reads reads first')
})

test('shared loaders run once per batch', async () => {
  let loads = 0
  const load = async () => ++loads
  const context = createLoadContext(batch)
  expect(await Promise.all([context.once(load), context.once(load)])).toEqual([1, 1])
  expect(await createLoadContext(batch).once(load)).toBe(2)
  expect(await createLoadContext({ ...context }).once(load)).toBe(3)
})

test('networks follow from the needs of a detector', () => {
  const evm = ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ']
  expect(networksFor(['messages'])).toEqual([...evm, 'TRON', 'TON'])
  expect(networksFor(['token-movements', 'token-names'])).toEqual([...evm, 'TRON', 'TON'])
  expect(networksFor(['delegations'])).toEqual(evm)
  expect(networksFor(['token-events'])).toEqual([...evm, 'TRON'])
  expect(networksFor(['self-destructs'])).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksFor(['token-events', 'dollar-coins'])).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksFor(['token-events', 'mixer-registry'])).toEqual(['ETH', 'BNB', 'POLYGON'])
})

const subject = (past: Past): Subject => ({
  network: 'ETH',
  address: 'a',
  features: { ...emptyWallet('a'), first_seen: 1, approvers: 3 },
  known: { listings: [], labels: [] },
  logs: ALL_READ,
  past,
  late: 1_000,
})
const FRESH: Past = { kind: 'fresh', why: 'it may have received something' }
const UNKNOWN: Past = { kind: 'unknown', why: 'it may have signed transactions' }
const finding = { grade: 'some', title: 'Did it', evidence: {} }
const ANSWERS: Answer[] = [
  { kind: 'clear' },
  { kind: 'suspected', findings: [finding] },
  { kind: 'convicted', findings: [finding] },
]
/** The numbers of clear, suspected and convicted outcomes that remain, in this order. */
const left = (over: Partial<Detector>, past: Past, open = false) =>
  ANSWERS.map((answer) => limitedByPast(detector('one', over), subject(past), answer, open).kind)

test('an unknown past blocks exactly the answers that need it', () => {
  const said = ['clear', 'suspected', 'convicted']
  const bars = (need: Need, past: Past) => left({ needs: [need] }, past)
  for (const past of [WHOLE, FRESH, UNKNOWN]) expect(bars('token-events', past)).toEqual(said)
  for (const need of ['own-acts', 'own-habits', 'own-receipts', 'own-flows'] as const)
    expect(bars(need, WHOLE), need).toEqual(said)
  expect(bars('own-acts', FRESH)).toEqual(said)
  expect(bars('own-habits', FRESH)).toEqual(said)
  expect(bars('own-receipts', FRESH)).toEqual(['unknown', 'unknown', 'convicted'])
  expect(bars('own-flows', FRESH)).toEqual(['clear', 'suspected', 'unknown'])
  // Contracts sign nothing: signed transactions tell an account from a contract.
  expect(bars('own-kind', UNKNOWN)).toEqual(['clear', 'suspected', 'unknown'])
  const signer = { ...subject(UNKNOWN), features: { ...emptyWallet('a'), sent: 1 } }
  expect(limitedByPast(detector('one', { needs: ['own-kind'] }), signer, ANSWERS[2]!, false).kind).toBe('convicted')
  // A listed wallet without any activity.
  const unseen = { ...subject(UNKNOWN), features: emptyWallet('a') }
  expect(limitedByPast(detector('one', { needs: ['own-flows'] }), unseen, { kind: 'clear' }, false).kind).toBe(
    'unknown',
  )
  expect(bars('own-acts', UNKNOWN)).toEqual(['unknown', 'unknown', 'convicted'])
  expect(bars('own-habits', UNKNOWN)).toEqual(['unknown', 'unknown', 'unknown'])
})

test('a detector that depends on others clears no wallet it concerns while their past is unknown', () => {
  const others = { parties: () => [], proven: (found: unknown) => found }
  const concerned = { others: { ...others, concerns: ({ approvers }: { approvers: number }) => approvers > 0 } }
  const unconcerned = { others: { ...others, concerns: () => false } }
  expect(left(concerned, FRESH)).toEqual(['unknown', 'unknown', 'convicted'])
  expect(left(unconcerned, FRESH)).toEqual(['clear', 'suspected', 'convicted'])
  // A finding that depends on parties without a known past.
  expect(left(unconcerned, FRESH, true)).toEqual(['unknown', 'unknown', 'convicted'])
})

test('a detector needs the past of others if and only if it states how', () => {
  for (const { id, needs, others } of all) expect(needs.includes('past-of-others'), id).toBe(others !== undefined)
})

test('every detector except those of authorities states which past it needs', () => {
  const none = all.filter(({ needs }) => pastsNeeded(needs).length === 0).map(({ id }) => id)
  expect(none).toEqual(['sanctions-oracle', 'issuer-freeze', 'mixer-registry', 'mixer-interaction'])
})
