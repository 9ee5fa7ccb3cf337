/** Users of the mixer: one habitual, one with a single deposit, and one that received withdrawals of others. */
import { keccak256, toHex } from 'viem'
import { ADDRESSES } from '../contracts/contracts.ts'
import type { ActorName } from './actors.ts'
import { ETHER } from './market.ts'
import type { Timeline } from './timeline.ts'

/** Deposits of the habitual user, enough to raise the flag `mixer`. */
export const HABITUAL_DEPOSITS = 9
const RELAYER_FEE = ETHER / 20n
const pool = ADDRESSES.mixerPool

/** Plans deposits and withdrawals of three wallets. Only one of them must be flagged. */
export const planMixers = (timeline: Timeline): void => {
  const { actors, at } = timeline
  const note = (text: string) => keccak256(toHex(text))
  const deposit = (day: number, who: ActorName) =>
    at(day, ({ call }) => call(who, pool, 'deposit', [note(`${who} ${day}`)], { value: ETHER }))
  const withdraw = (day: number, to: ActorName) =>
    at(day, ({ call }) =>
      call('relayer', pool, 'withdraw', [
        '0x',
        note('root'),
        note(`spent ${day}`),
        actors[to],
        actors.relayer,
        RELAYER_FEE,
        0n,
      ]),
    )

  at(120.24, ({ pay }) => pay('exchange', actors['mixer-user'], 11n * ETHER))
  for (let index = 0; index < HABITUAL_DEPOSITS; index++) deposit(121.37 + index * 19.3, 'mixer-user')
  at(322.4, ({ pay }) => pay('mixer-user', actors.exchange, ETHER / 2n))
  at(345.9, ({ call }) => call('mixer-user', ADDRESSES.weth, 'deposit', [], { value: ETHER / 4n }))
  withdraw(350.33, 'mixer-user')
  at(352.71, ({ pay }) => pay('mixer-user', actors.exchange, (ETHER * 9n) / 10n))

  deposit(141.82, 'mixer-once')
  withdraw(180.57, 'mixer-dusted')
  withdraw(231.19, 'mixer-dusted')
}
