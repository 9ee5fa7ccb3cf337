/** Business activity: withdrawals of the exchange, a monthly payroll, an arbitrage bot; and a new wallet. */
import type { Address } from 'viem'
import { ADDRESSES, creationCode } from '../contracts/contracts.ts'
import { SHOPPERS, TRADERS } from './actors.ts'
import { DOLLAR, ETHER, type Market } from './market.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

const MONTH = 30
const MILLI = ETHER / 1000n

/** Plans withdrawals, wages and arbitrage, which resemble patterns of fraud. */
export const planBusinesses = (timeline: Timeline, market: Market, random: Random): void => {
  const { actors, at } = timeline

  for (let month = 1; month <= 13; month++) {
    const staff = SHOPPERS.slice(0, Math.min(SHOPPERS.length, 3 + month))
    at(month * MONTH - 1.93, ({ call }) => {
      for (const name of staff)
        call('payroll', ADDRESSES.usdc, 'transfer', [actors[name], BigInt(1900 + random.below(900)) * DOLLAR])
    })
  }

  // Withdrawals from the exchange.
  for (let week = 3; week <= 56; week++) {
    at(week * 7 + random.next() * 5, ({ pay, call }) => {
      pay('exchange', actors[random.pick(TRADERS)], BigInt(200 + random.below(1800)) * MILLI)
      call('exchange', ADDRESSES.usdc, 'transfer', [
        actors[random.pick(TRADERS)],
        BigInt(100 + random.below(4000)) * DOLLAR,
      ])
    })
  }

  at(58.1, ({ pay }) => pay('exchange', actors['arbitrage-bot'], 25n * ETHER))
  let contract: Address = ADDRESSES.router
  at(59.3, ({ deploy }) => {
    contract = deploy('arbitrage-bot', 'Arbitrage', creationCode('Arbitrage'))
  })
  const { weth, usdc, router } = ADDRESSES
  for (let turn = 0; turn < 26; turn++) {
    at(60.4 + turn * 12.9 + random.next(), ({ call }) => {
      const value = BigInt(50 + random.below(300)) * MILLI
      call('arbitrage-bot', contract, 'turn', [router, [weth, market.harbor], [market.harbor, usdc, weth]], { value })
    })
  }

  at(396.2, ({ pay }) => pay('exchange', actors.newcomer, 2n * ETHER))
  at(397.15, ({ pay }) => pay('newcomer', actors['shopper-1'], 120n * MILLI))
  at(398.6, ({ call }) => call('newcomer', ADDRESSES.weth, 'deposit', [], { value: 300n * MILLI }))
  at(399.2, ({ call }) => call('newcomer', ADDRESSES.weth, 'transfer', [actors['trader-2'], 100n * MILLI]))
}
