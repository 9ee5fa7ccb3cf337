import { expect, test } from 'vitest'
import { fromCallTracer, fromTraceBlock } from './traces.ts'

const HASH = `0x${'ab'.repeat(32)}`
/** Values a node might put where something else belongs. */
const ODD = [undefined, null, '', 'text', 5, Number.NaN, true, [], {}, [{}]]

const isText = (value: unknown) => typeof value === 'string'
const isMaybe = (value: unknown) => value === undefined || value === null || isText(value)

const outcomeOf = (read: () => unknown): 'taken' | 'refused' => {
  try {
    read()
    return 'taken'
  } catch {
    return 'refused'
  }
}

type Field = [path: string[], fits: (value: unknown) => boolean]
/** The value with something else at a path; parts on the way are copied. */
const altered = (value: object, [name = '', ...rest]: readonly string[], odd: unknown): object => {
  const inner = (value as Record<string, object>)[name]
  const next = rest.length === 0 ? odd : altered(inner!, rest, odd)
  return Array.isArray(value) ? Object.assign([...value], { [name]: next }) : { ...value, [name]: next }
}

const leaf = { type: 'CALL', from: '0x01', to: '0x02', value: '0x1', input: '0x', gas: 5 }
const callTraces = [{ txHash: HASH, result: { ...leaf, error: 'out of gas', calls: [{ ...leaf, output: '0x' }] } }]
const frame = (...at: string[]): Field[] => [
  [[...at, 'type'], isText],
  [[...at, 'from'], isText],
  ...['to', 'value', 'input', 'output', 'error'].map((name): Field => [[...at, name], isMaybe]),
  [[...at, 'gas'], () => true],
]

test.each<Field>([
  ...frame('0', 'result'),
  ...frame('0', 'result', 'calls', '0'),
  [['0', 'txHash'], (value) => isMaybe(value) && (!value || value === HASH)],
])('callTracer: accepts frames with an odd value at %j exactly if they are valid', (path, fits) => {
  for (const odd of ODD) {
    const outcome = outcomeOf(() => fromCallTracer(altered(callTraces, path, odd), [HASH]))
    expect([odd, outcome]).toEqual([odd, fits(odd) ? 'taken' : 'refused'])
  }
})

const parityTraces = [
  {
    type: 'call',
    action: { callType: 'call', from: '0x01', to: '0x02', value: '0x1', input: '0x', gas: 5 },
    result: { output: '0x' },
    traceAddress: [0, 1],
    transactionHash: HASH,
    transactionPosition: 0,
    blockHash: HASH,
  },
]
const ACTION = ['callType', 'creationMethod', 'from', 'to', 'value', 'input', 'init', 'address', 'balance']
const isNumber = (value: unknown) => typeof value === 'number' && !Number.isNaN(value)

test.each<Field>([
  [['0', 'type'], isText],
  ...ACTION.map((name): Field => [['0', 'action', name], isMaybe]),
  ...['address', 'code', 'output'].map((name): Field => [['0', 'result', name], isMaybe]),
  [['0', 'error'], isMaybe],
  [['0', 'transactionHash'], isMaybe],
  [['0', 'transactionPosition'], (value) => value === undefined || value === null || isNumber(value)],
  [['0', 'blockHash'], (value) => isMaybe(value) && (!value || value === HASH)],
  [['0', 'traceAddress', '0'], isNumber],
  [['0', 'action', 'gas'], () => true],
])('trace_block: accepts frames with an odd value at %j exactly if they are valid', (path, fits) => {
  for (const odd of ODD) {
    const outcome = outcomeOf(() => fromTraceBlock(altered(parityTraces, path, odd), HASH))
    expect([odd, outcome]).toEqual([odd, fits(odd) ? 'taken' : 'refused'])
  }
})
