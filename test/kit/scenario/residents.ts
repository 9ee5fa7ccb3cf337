/** People of a scenario: an exchange that pays out dollars, and wallets with histories of their own. */
import type { Address } from 'viem'
import { ADDRESSES } from '../../../deploy/demo/contracts/contracts.ts'
import { type Actions, DOLLAR, ETHER, type Scenario, UNLIMITED, who } from './scenario.ts'

export const USDC = who(ADDRESSES.usdc)
export const TRANSFER = 'transfer(address,uint256)'
/** Of ERC-20 and ERC-721 alike. */
export const TRANSFER_FROM = 'transferFrom(address,address,uint256)'
export const APPROVE = 'approve(address,uint256)'
/** Dollars of everyone with a history, and coins left from a friend's gift. */
export const SALARY = 1_000n * DOLLAR
export const GIFT_REMAINDER = (ETHER * 8n) / 10n

/** Every owner allows the spender some of a token. */
export const approve = (
  { call }: Actions,
  owners: readonly string[],
  spender: string,
  token: Address = USDC,
  amount = UNLIMITED,
) => owners.map((owner) => call(owner, token, APPROVE, [who(spender), amount]))

/**
 * The issuer mints to the exchange on day 0. The returned function starts the histories of people on a day: coins come from
 * each one's own friend, dollars from the shared exchange, and the next day they pay the friend and a shop.
 */
export const settleResidents = ({ at }: Scenario): ((names: readonly string[], day?: number) => void) => {
  at(0, ({ call }) => call('issuer', USDC, 'mint(address,uint256)', [who('exchange'), 100_000_000n * DOLLAR]))
  return (names, day = 1) => {
    at(day, ({ pay, call }) => {
      for (const name of names) {
        pay(`pal-${name}`, name, ETHER)
        call('exchange', USDC, TRANSFER, [who(name), SALARY])
      }
    })
    at(day + 1, ({ pay }) => {
      for (const name of names) {
        pay(name, `pal-${name}`, ETHER / 10n)
        pay(name, `shop-${name}`, ETHER / 10n)
      }
    })
  }
}
