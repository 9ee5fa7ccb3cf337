/** What pages compute before they draw: held without a browser. */
import { expect, test } from 'vitest'
import { flagsOf } from './flags.js'
import { layoutOf } from './graph.js'
import { causesOf } from './history.js'
import { scaleOf, stepsOf } from './waterfall.js'

const reason = (code: string, contribution: number | null, evidence = {}) => ({
  code,
  title: `title of ${code}`,
  contribution,
  evidence,
  change: null,
})

test('steps lead from the base rate to the probability in any order', () => {
  const probability = 0.2
  const { base, steps } = stepsOf([reason('A', 2), reason('B', -0.5), reason('C', 0.25)], probability)
  expect(base).toBeCloseTo(Math.log(0.25) - 1.75)
  expect(steps.map(({ title }) => title)).toEqual(['Base rate', 'title of A', 'title of B', 'title of C'])
  expect(1 / (1 + Math.exp(-(steps.at(-1)?.to ?? 0)))).toBeCloseTo(probability)
  const scale = scaleOf(steps)
  expect([scale(base ?? 0), scale((base ?? 0) + 2)]).toEqual([0, 100])
})

test('steps of a decisive finding begin at zero, without a base rate', () => {
  const { base, steps } = stepsOf([reason('SANCTIONED', null), reason('A', 2)], 1)
  expect([base, steps]).toMatchObject([undefined, [{ from: 0, to: 2 }]])
  expect(stepsOf([], 0.01).steps).toEqual([])
  expect(stepsOf([], 0).base).toBeUndefined()
})

test('a 0 listed in unknowns is unknown, a 1 counts anyway, and other unknowns are kept', () => {
  const details = {
    mixer: '0',
    sanctioned: '1',
    fake_token: '0',
    data_source: 'x',
    number_of_malicious_contracts_created: '2',
  }
  const unknowns = ['mixer: no log', 'mixer: and no trace', 'sanctioned: part of a log', 'prices: none', 'free text']
  const { flags, others } = flagsOf(details, unknowns, [reason('SANCTIONED', null)])
  expect(flags).toEqual([
    { name: 'mixer', state: 'unknown', why: 'no log; and no trace' },
    { name: 'sanctioned', state: 'found', why: 'title of SANCTIONED' },
    { name: 'fake_token', state: 'clear', why: '' },
    { name: 'number_of_malicious_contracts_created', state: 'found', why: 'Value 2' },
  ])
  expect(others).toEqual(['prices: none', 'free text'])
})

const kept = (reasons: ReturnType<typeof reason>[], modelVersion = '1') => ({
  version: 1,
  hash: '',
  status: 'Not Fraud' as const,
  probabilityFraud: '0.10',
  modelVersion,
  dataHeight: 7,
  computedAt: '2026-11-22T12:00:00.000Z',
  reasons,
})

test('explains a change of verdict by new flags, removed flags, the model, or else the transfers', () => {
  const label = reason('SANCTIONED', null, { label: 'sanctioned' })
  expect(causesOf(kept([]), undefined)).toEqual(['First stored verdict'])
  expect(causesOf(kept([label]), kept([]))).toEqual(['New label: Sanctioned, title of SANCTIONED'])
  expect(causesOf(kept([]), kept([reason('MIXER', null)], '0'))).toEqual([
    'No longer found: Mixer, title of MIXER',
    'New model version',
  ])
  expect(causesOf(kept([label]), kept([label]))).toEqual(['Movements up to block 7'])
})

const party = (address: string, value: number) => ({
  address,
  value: String(value),
  movements: 1,
  tokens: 0,
  firstSeen: '',
  lastSeen: '',
  category: null,
  name: null,
  status: null,
  stop: null,
})
const dealings = (incoming: string[], outgoing: string[], more = 0) => {
  const side = (names: string[]) => ({
    counterparties: names.length + more,
    value: '0',
    largest: names.map((name, n) => party(name, 100 - n)),
  })
  return {
    message: 'Success' as const,
    walletAddress: '',
    chain: 'ETH' as const,
    unit: 'ETH',
    incoming: side(incoming),
    outgoing: side(outgoing),
    dataHeight: 0,
    coverage: null,
  }
}

test('draws a wallet with thousands of counterparties as a few separate boxes', () => {
  const names = Array.from({ length: 10 }, (_, n) => `p${n}`)
  const { nodes, edges, width, height } = layoutOf('w', new Map([['w', dealings(names, names, 4_990)]]), [])
  expect(nodes.filter(({ others }) => others !== undefined).map(({ others }) => others)).toEqual([4_992, 4_992])
  expect([nodes.length, edges.length]).toEqual([19, 18])
  const places = new Set(nodes.map(({ x, y }) => `${x} ${y}`))
  expect(places.size).toBe(nodes.length)
  for (const { x, y } of nodes) expect(x >= 0 && x < width && y >= 0 && y < height).toBe(true)
  for (const { from, to } of edges) expect(from.x).toBeLessThan(to.x)
})

test('opening adds one column, and circular payments do not open endlessly', () => {
  const known = new Map([
    ['w', dealings(['a'], ['a'])],
    ['a', dealings(['w', 'b'], ['w'])],
    ['b', dealings(['a'], [])],
  ])
  const hopsOf = (open: string[]) => layoutOf('w', known, open).nodes.map(({ address, hop }) => `${address}${hop}`)
  expect(hopsOf([])).toEqual(['w0', 'a-1', 'a1'])
  // Whom it pays is where it stood first: to the left.
  expect(hopsOf(['a'])).toEqual(['w0', 'a-1', 'w-2', 'b-2', 'a1'])
  expect(hopsOf(['a', 'b', 'w'])).toEqual(['w0', 'a-1', 'w-2', 'b-2', 'a-3', 'a1'])
})
