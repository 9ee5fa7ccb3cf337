/** What lies in a pool and what it trades at, by the design of the pool. */
import type { ChainReader } from '../../chain/chain.ts'
import { wordAt } from '../words.ts'
import { priceOfRoot } from './concentrated.ts'

/** An address as a word of calldata, without 0x. */
export const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')

const readUint = async (chain: ChainReader, to: string, data: string) => wordAt(await chain.call({ to, data }), 0)
/** `balanceOf` of a token. */
export const balanceCall = (token: string, who: string) => ({ to: token, data: `0x70a08231${pad(who)}` })
/** Base units an account has of a token; 0 where the token answers nothing. */
export const balanceOf = async (chain: ChainReader, token: string, who: string): Promise<bigint> =>
  wordAt(await chain.call(balanceCall(token, who)), 0) ?? 0n
/** Balances of some accounts, 0 where none could be read; few requests however many. */
export const balancesOf = async (chain: ChainReader, token: string, people: readonly string[]): Promise<bigint[]> => {
  const answers = await chain.words(people.map((who) => balanceCall(token, who)))
  return answers.map((answer) => answer ?? 0n)
}

/** What lies in a pool, and the price it trades at. */
export type Reserves = (
  chain: ChainReader,
  pool: string,
  token: string,
  base: string,
) => Promise<{ tokenReserve: bigint; baseReserve: bigint; price: number }>

/** How many base units of the base asset are paid for one of the token. */
export const ratio = (baseReserve: bigint, tokenReserve: bigint) =>
  tokenReserve === 0n ? 0 : Number(baseReserve) / Number(tokenReserve)

/** Of a pool of two tokens: `getReserves()`. */
export const reservesOf: Reserves = async (chain, pool, token, base) => {
  const answer = await chain.call({ to: pool, data: '0x0902f1ac' })
  const [r0, r1] = [wordAt(answer, 0) ?? 0n, wordAt(answer, 1) ?? 0n]
  const [tokenReserve, baseReserve] = token < base ? [r0, r1] : [r1, r0]
  return { tokenReserve, baseReserve, price: ratio(baseReserve, tokenReserve) }
}

/** The curve of a stable pair is not the ratio of its reserves: the pool says what a thousandth of them sells for. */
export const stableReservesOf: Reserves = async (chain, pool, token, base) => {
  const reserves = await reservesOf(chain, pool, token, base)
  const part = reserves.tokenReserve / 1_000n
  const word = part.toString(16).padStart(64, '0')
  const paid = part === 0n ? 0n : await readUint(chain, pool, `0xf140a35a${word}${pad(token)}`)
  return { ...reserves, price: ratio(paid ?? 0n, part) }
}

/** `question`: what is answered with the root of the price first. */
const concentrated =
  (question: string): Reserves =>
  async (chain, pool, token, base) => {
    const [tokenReserve, baseReserve, root] = await Promise.all([
      balanceOf(chain, token, pool),
      balanceOf(chain, base, pool),
      readUint(chain, pool, question),
    ])
    const price = priceOfRoot(root ?? 0n)
    return { tokenReserve, baseReserve, price: token < base || price === 0 ? price : 1 / price }
  }
/** `slot0()` */
export const concentratedReservesOf = concentrated('0x3850c7bd')
/** `globalState()` */
export const algebraReservesOf = concentrated('0xe76c01e4')
