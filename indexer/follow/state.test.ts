import { expect, test } from 'vitest'
import { RetryableError } from '../../platform/errors.ts'
import { assertMove, type FollowState, type Head, type History, type Starting } from './state.ts'
import { createWindow } from './window.ts'

const block = (number: number) => ({ number, hash: `0x${number}` })
const starting: Starting = { at: 'starting', failures: 1 }
const history: History = { at: 'history', failures: 1, first: 3, last: block(7), passed: false }
const head: Head = { at: 'head', failures: 1, window: createWindow(block(7)) }
const error = new RetryableError('ASSAY_RPC_UNAVAILABLE', 'x')
const waitingFor = (next: Starting | History | Head): FollowState => ({ at: 'waiting', failures: 1, error, next })
const stopped: FollowState = { at: 'stopped' }

const allowed = (from: FollowState, to: FollowState): boolean => {
  try {
    assertMove('ETH', from, to)
    return true
  } catch (thrown) {
    expect(thrown).toMatchObject({ name: 'BugError', code: 'ASSAY_INDEXER_MOVE', exitCode: 70 })
    return false
  }
}

test('makes exactly the transitions of the diagram', () => {
  const states = { starting, history, head, waiting: waitingFor(starting), stopped }
  const moves = Object.entries(states).map(([name, from]) => [
    name,
    Object.entries(states).flatMap(([to, state]) => (allowed(from, state) ? [to] : [])),
  ])
  expect(Object.fromEntries(moves)).toEqual({
    starting: ['history', 'head', 'waiting', 'stopped'],
    history: ['history', 'head', 'waiting', 'stopped'],
    head: ['head', 'waiting', 'stopped'],
    waiting: ['starting', 'stopped'],
    stopped: [],
  })
})

test('after a failure the loop returns to exactly the state it waited for', () => {
  const states = [starting, history, head]
  expect(states.map((next) => states.map((to) => allowed(waitingFor(next), to)))).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])
  expect(allowed(waitingFor(history), { ...history })).toBe(false)
})

test('history never goes back, and hands over at its last block only', () => {
  expect(allowed(history, { ...history, last: block(8) })).toBe(true)
  expect(allowed(history, { ...history, last: block(6) })).toBe(false)
  expect(allowed(history, { ...history, last: undefined })).toBe(false)
  expect(allowed(history, { ...head, window: createWindow({ number: 7, hash: '0xother' }) })).toBe(false)
})
