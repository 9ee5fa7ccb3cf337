/** Those with a business: the exchange's withdrawals, a monthly payroll, a bot, and someone who has just arrived. */
import type { Address } from 'viem'
import { creationCode, PLACES } from '../contracts/contracts.ts'
import { SHOPPERS, TRADERS } from './actors.ts'
import { DOLLAR, ETHER, type Market } from './market.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

const MONTH = 30
const MILLI = ETHER / 1000n

/** Plans withdrawals, wages and a bot's trades, which look like patterns of fraud and are none. */
export const tellBusiness = (timeline: Timeline, market: Market, random: Random): void => {
  const { actors, at } = timeline

  for (let month = 1; month <= 13; month++) {
    const staff = SHOPPERS.slice(0, Math.min(SHOPPERS.length, 3 + month))
    at(month * MONTH - 1.93, ({ call }) => {
      for (const name of staff)
        call('payroll', PLACES.usdc, 'transfer', [actors[name], BigInt(1900 + random.below(900)) * DOLLAR])
    })
  }

  // People withdraw from the exchange now and then.
  for (let week = 3; week <= 56; week++) {
    at(week * 7 + random.next() * 5, ({ pay, call }) => {
      pay('exchange', actors[random.pick(TRADERS)], BigInt(200 + random.below(1800)) * MILLI)
      call('exchange', PLACES.usdc, 'transfer', [
        actors[random.pick(TRADERS)],
        BigInt(100 + random.below(4000)) * DOLLAR,
      ])
    })
  }

  at(58.1, ({ pay }) => pay('exchange', actors['arbitrage-bot'], 25n * ETHER))
  let contract: Address = PLACES.router
  at(59.3, ({ deploy }) => {
    contract = deploy('arbitrage-bot', 'Arbitrage', creationCode('Arbitrage'))
  })
  const { weth, usdc, router } = PLACES
  for (let turn = 0; turn < 26; turn++) {
    at(60.4 + turn * 12.9 + random.next(), ({ call }) => {
      const value = BigInt(50 + random.below(300)) * MILLI
      call('arbitrage-bot', contract, 'turn', [router, [weth, market.harbor], [market.harbor, usdc, weth]], { value })
    })
  }

  at(396.2, ({ pay }) => pay('exchange', actors.newcomer, 2n * ETHER))
  at(397.15, ({ pay }) => pay('newcomer', actors['shopper-1'], 120n * MILLI))
  at(398.6, ({ call }) => call('newcomer', PLACES.weth, 'deposit', [], { value: 300n * MILLI }))
  at(399.2, ({ call }) => call('newcomer', PLACES.weth, 'transfer', [actors['trader-2'], 100n * MILLI]))
}
