import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accessObjects } from '../../schema/tables/service/access.ts'
import { assertMove, holderOf, LEASE_MS, type PaymentState, STATES } from './states.ts'

const NAMES = Object.keys(STATES) as PaymentState[]

test('no transition leads to a state that a late write of the previous state would overwrite', () => {
  for (const from of NAMES)
    for (const to of STATES[from].moves) expect(STATES[to].rank).toBeGreaterThanOrEqual(STATES[from].rank)
})

test('allows exactly the state transitions of the table', () => {
  for (const from of NAMES) {
    for (const to of NAMES) {
      const move = () => assertMove('k', from, to)
      if (STATES[from].moves.includes(to)) move()
      else expect(move).toThrow(expect.objectContaining({ code: 'ASSAY_PAYMENT_MOVE', exitCode: 70 }))
    }
  }
})

test('every state but the final ones can still reach an end', () => {
  const ends = NAMES.filter((name) => STATES[name].moves.length === 0)
  expect(ends).toEqual(['released', 'refunded'])
  for (const name of NAMES) {
    const reached = new Set<PaymentState>([name])
    for (const state of reached) for (const next of STATES[state].moves) reached.add(next)
    expect(ends.some((end) => reached.has(end))).toBe(true)
  }
})

test('an authorization belongs to the attempt in the latest state, then to the earliest attempt', () => {
  const attempt = (name: string, state: PaymentState, begun = 0, moved = 0) => ({ attempt: name, state, begun, moved })
  const holder = (...attempts: ReturnType<typeof attempt>[]) => holderOf(attempts, LEASE_MS)?.attempt
  expect(holder(attempt('a', 'settling', 1), attempt('b', 'settled', 2))).toBe('b')
  expect(holder(attempt('b', 'pending', 2), attempt('a', 'settling', 1))).toBe('a')
  expect(holder(attempt('b', 'pending', 1), attempt('a', 'settling', 1))).toBe('a')
  expect(holder(attempt('a', 'released', 1))).toBe(undefined)
  expect([holder(attempt('a', 'reserved', 1, 0)), holder(attempt('a', 'reserved', 1, 1))]).toEqual([undefined, 'a'])
})

test('documentation and column comment name every state, and the comment names the documentation', () => {
  const page = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')
  for (const name of NAMES) {
    expect(page).toContain(`| \`${name}\` | ${STATES[name].meaning} | ${STATES[name].recovery} |`)
  }
  const payments = accessObjects.find(({ name }) => name === 'payments')
  const comment = payments?.kind === 'table' ? payments.columns.state?.comment : undefined
  expect(
    comment
      ?.split(';')[0]
      ?.split(/, | or /)
      .sort(),
  ).toEqual([...NAMES].sort())
  expect(comment).toContain('docs/payments.md')
})
