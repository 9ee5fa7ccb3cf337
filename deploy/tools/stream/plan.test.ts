import { expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config/config.ts'
import { planOf } from './plan.ts'

test('the plan names hosts and budgets of networks, and no key', () => {
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
