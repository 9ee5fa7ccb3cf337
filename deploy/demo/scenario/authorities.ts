/** Authorities: listings by the sanctions oracle and freezes by the issuer of USDC, some of them reverted. */
import { ADDRESSES } from '../contracts/contracts.ts'
import { DOLLAR } from './market.ts'
import type { Timeline } from './timeline.ts'

/** An address without other activity. A listing is a batch, which also contains such addresses. */
const UNRELATED_ADDRESS = '0x00000000000000000000000000000000005a4c71'

/** Plans listings and freezes. Some stay in force, some are reverted. */
export const planAuthorities = (timeline: Timeline): void => {
  const { actors, at } = timeline
  const { sanctionsOracle: oracle, usdc } = ADDRESSES
  at(150.31, ({ call }) => call('oracle-keeper', oracle, 'addToSanctionsList', [[UNRELATED_ADDRESS, actors.delisted]]))
  at(260.62, ({ call }) => call('oracle-keeper', oracle, 'removeFromSanctionsList', [[actors.delisted]]))
  at(300.44, ({ call }) => call('oracle-keeper', oracle, 'addToSanctionsList', [[actors.sanctioned]]))

  at(199.3, ({ call }) => call('exchange', usdc, 'transfer', [actors.released, 4_000n * DOLLAR]))
  at(200.52, ({ call }) => call('issuer', usdc, 'blacklist', [actors.released]))
  at(200.53, ({ call }) => call('released', usdc, 'transfer', [actors.exchange, 10n * DOLLAR], { reverts: true }))
  at(201.43, ({ call }) => call('issuer', usdc, 'unBlacklist', [actors.released]))

  at(312.3, ({ call }) => call('exchange', usdc, 'transfer', [actors.frozen, 90_000n * DOLLAR]))
  at(330.71, ({ call }) => call('issuer', usdc, 'blacklist', [actors.frozen]))
  at(331.42, ({ call }) => call('frozen', usdc, 'transfer', [actors.exchange, 90_000n * DOLLAR], { reverts: true }))
}
