/** The mixer: one lives in it, one used it once, one was sent something out of it without asking. */
import { keccak256, toHex } from 'viem'
import { PLACES } from '../contracts/contracts.ts'
import type { ActorName } from './actors.ts'
import { ETHER } from './market.ts'
import type { Timeline } from './timeline.ts'

/** Deposits of the one who lives in the mixer: enough to count as habit. */
export const HABITUAL_DEPOSITS = 9
const RELAYER_FEE = ETHER / 20n
const pool = PLACES.mixerPool

/** Plans deposits and withdrawals of three people, of whom the flag concerns one. */
export const tellMixers = (timeline: Timeline): void => {
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
  at(345.9, ({ call }) => call('mixer-user', PLACES.weth, 'deposit', [], { value: ETHER / 4n }))
  withdraw(350.33, 'mixer-user')
  at(352.71, ({ pay }) => pay('mixer-user', actors.exchange, (ETHER * 9n) / 10n))

  deposit(141.82, 'mixer-once')
  withdraw(180.57, 'mixer-dusted')
  withdraw(231.19, 'mixer-dusted')
}
