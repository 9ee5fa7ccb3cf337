import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLoadContext, type LoadContext } from './context.ts'
import { networksFor } from './coverage.ts'
import { FAMILIES } from './detector.ts'
import { DETECTORS, type Detector } from './index.ts'
import { runDetectors } from './run.ts'

const here = (path: string) => new URL(path, import.meta.url)
const all: readonly Detector[] = DETECTORS

test('every detector has its folder, its README and its id to itself, and every folder with a detector is listed', () => {
  const folders = FAMILIES.flatMap((family) =>
    readdirSync(here(family)).flatMap((id) =>
      existsSync(here(`${family}/${id}/detector.ts`)) ? [`${family}/${id}`] : [],
    ),
  )
  expect(all.map(({ family, id }) => `${family}/${id}`).sort()).toEqual(folders.sort())
  for (const folder of folders) expect(existsSync(here(`${folder}/README.md`)), folder).toBe(true)
})

test('a detector says whom it leaves alone, what it cannot see, and how sure it is', () => {
  for (const { id, exclusions, doc, confidence } of all) {
    expect(exclusions.length, id).toBeGreaterThan(0)
    expect(doc.takes.length, id).toBeGreaterThan(0)
    expect(doc.cannotSee.length, id).toBeGreaterThan(0)
    for (const value of Object.values(confidence)) expect(value > 0 && value <= 1, id).toBe(true)
  }
})

test('a detector stands below those whose results it reads', () => {
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

test('results are loaded once, and only of declared detectors that stand above', async () => {
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

test('what several detectors need is loaded once for a batch, and again for another', async () => {
  let loads = 0
  const load = async () => ++loads
  const context = createLoadContext(batch)
  expect(await Promise.all([context.once(load), context.once(load)])).toEqual([1, 1])
  expect(await createLoadContext(batch).once(load)).toBe(2)
  expect(await createLoadContext({ ...context }).once(load)).toBe(3)
})

test('networks follow from what a detector needs to see', () => {
  const evm = ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ']
  expect(networksFor(['messages'])).toEqual([...evm, 'TRON', 'TON'])
  expect(networksFor(['token-movements', 'token-names'])).toEqual([...evm, 'TRON', 'TON'])
  expect(networksFor(['delegations'])).toEqual(evm)
  expect(networksFor(['token-events'])).toEqual([...evm, 'TRON'])
  expect(networksFor(['self-destructs'])).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksFor(['token-events', 'dollar-coins'])).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksFor(['token-events', 'mixer-registry'])).toEqual(['ETH', 'BNB', 'POLYGON'])
})
