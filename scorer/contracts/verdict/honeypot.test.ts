import { expect, test } from 'vitest'
import { UNKNOWN_TRADE } from '../trade/facts.ts'
import { NO_HOLDERS } from '../trade/judged/holders.ts'
import { type HoneypotInput, proveHoneypot } from './honeypot.ts'

/** Proof of a token that only its creator can sell, given these holder sales. */
const proved = (holders: typeof NO_HOLDERS) =>
  proveHoneypot({
    examination: {
      subject: { token: '0x01', isToken: true, owner: { address: '' } },
      traded: { id: '0x02' },
      trade: { ...UNKNOWN_TRADE, canBuy: true, neverSold: true, insiderSells: true, holders },
      eoaSell: { outcome: 'refused', tries: 40, reason: '' },
      powers: { skipped: 0, cut: false, complete: true, powers: [] },
      insiders: [],
    },
    stakeholders: { creator: '0x03', providers: [], events: [] },
    registry: { canonical: [] },
    limitation: undefined,
  } as unknown as HoneypotInput)

test('a trap is proved when no holder can sell, and not while the sale of one went unanswered', () => {
  expect(proved(NO_HOLDERS).verdict).toBe('trap')
  expect(proved({ ...NO_HOLDERS, tried: 2, blocked: ['0x04', '0x05'] }).verdict).toBe('trap')
  const why = 'not every sale of existing holders could be simulated'
  expect(proved({ ...NO_HOLDERS, unanswered: 1 })).toEqual({ verdict: 'unproven', why })
  expect(proved({ ...NO_HOLDERS, tried: 2, blocked: ['0x04', '0x05'], unanswered: 3 })).toEqual({
    verdict: 'unproven',
    why,
  })
  expect(proved({ ...NO_HOLDERS, tried: 2, blocked: ['0x04'] })).toEqual({
    verdict: 'unproven',
    why: 'existing holders can sell',
  })
})
