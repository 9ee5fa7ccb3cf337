/** Lists that say who is bad: the sanctions oracle and the dollar's issuer add, and sometimes take back. */
import { PLACES } from '../contracts/contracts.ts'
import { DOLLAR } from './market.ts'
import type { Timeline } from './timeline.ts'

/** Never seen on this chain otherwise: a listing is a batch, and holds strangers too. */
const STRANGER = '0x00000000000000000000000000000000005a4c71'

/** Lists and unlists, freezes and releases, so that both what is in force and what was taken back occur. */
export const tellAuthorities = (timeline: Timeline): void => {
  const { actors, at } = timeline
  const { sanctionsOracle: oracle, usdc } = PLACES
  at(150.31, ({ call }) => call('oracle-keeper', oracle, 'addToSanctionsList', [[STRANGER, actors.delisted]]))
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
