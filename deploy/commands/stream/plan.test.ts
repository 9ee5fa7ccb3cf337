import { expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config/config.ts'
import { planOf } from './plan.ts'

test('prints hosts and budgets of networks, and no key', () => {
  const plan = planOf(
    loadConfig({
      TRON_RPC_URL: 'https://api.trongrid.io/hidden?key=SECRET1',
      TRON_API_KEY: 'SECRET2',
      TRON_REQUESTS_PER_SECOND: '15',
      TRON_REQUESTS_PER_DAY: '100000',
      TON_RPC_URL: 'https://toncenter.com/api/v2/jsonRPC',
      TON_API_KEY: 'SECRET3',
      TON_REQUESTS_PER_SECOND: '10',
      ETH_RPC_URL: 'https://node.example',
    }),
  ).join('\n')
  expect(plan).toContain('api.trongrid.io; at most 15 requests per second and 100000 per day to each')
  expect(plan).toMatch(/TON: .*final by masterchain; toncenter\.com.*; at most 10 requests per second to each/)
  expect(plan).toMatch(/node\.example$/m)
  expect(plan).not.toMatch(/SECRET|hidden/)
})

test('states whether settlements of the facilitator are verified on chain', () => {
  const paid = {
    ASSAY_X402_RECEIVER: `0x${'11'.repeat(20)}`,
    ASSAY_X402_FACILITATOR_URL: 'https://pay.example/hidden',
  }
  const lineOf = (env: Record<string, string>) => planOf(loadConfig(env)).find((line) => line.startsWith('payments'))
  expect(lineOf({})).toBe(undefined)
  expect(lineOf(paid)).toMatch(/not verified on chain.*ASSAY_X402_RPC_URL/)
  expect(lineOf({ ...paid, ASSAY_X402_RPC_URL: 'https://base.example/SECRET' })).toMatch(
    /verified at .*base\.example until final/,
  )
  expect(planOf(loadConfig({ ...paid, ASSAY_X402_RPC_URL: 'https://base.example/SECRET' })).join()).not.toMatch(
    /SECRET|hidden/,
  )
})
