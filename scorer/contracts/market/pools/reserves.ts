/** Reserves and prices of pools, by design. */
import type { ChainReader } from '../../chain/chain.ts'
import { wordAt } from '../return-data.ts'
import { priceOfRoot } from './concentrated.ts'

/** An address as a word of calldata, without 0x. */
export const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')

const readUint = async (chain: ChainReader, to: string, data: string) => wordAt(await chain.call({ to, data }), 0)
/** `balanceOf` of a token. */
export const balanceCall = (token: string, who: string) => ({ to: token, data: `0x70a08231${pad(who)}` })
/** Balance of an account, base units; 0 when the token does not answer. */
export const balanceOf = async (chain: ChainReader, token: string, who: string): Promise<bigint> =>
  wordAt(await chain.call(balanceCall(token, who)), 0) ?? 0n
/** Balances of many accounts in few requests; 0 for balances that could not be read. */
export const balancesOf = async (chain: ChainReader, token: string, people: readonly string[]): Promise<bigint[]> => {
  const answers = await chain.words(people.map((who) => balanceCall(token, who)))
  return answers.map((answer) => answer ?? 0n)
}

/** Reads the reserves and the price of a pool. */
export type Reserves = (
  chain: ChainReader,
  pool: string,
  token: string,
  base: string,
) => Promise<{ tokenReserve: bigint; baseReserve: bigint; price: number }>

/** Price in base units of the base asset per base unit of the token. */
export const ratio = (baseReserve: bigint, tokenReserve: bigint) =>
  tokenReserve === 0n ? 0 : Number(baseReserve) / Number(tokenReserve)

/** Pools of two tokens: `getReserves()`. */
export const reservesOf: Reserves = async (chain, pool, token, base) => {
  const answer = await chain.call({ to: pool, data: '0x0902f1ac' })
  const [r0, r1] = [wordAt(answer, 0) ?? 0n, wordAt(answer, 1) ?? 0n]
  const [tokenReserve, baseReserve] = token < base ? [r0, r1] : [r1, r0]
  return { tokenReserve, baseReserve, price: ratio(baseReserve, tokenReserve) }
}

/**
 * Stable pairs: the price is not the ratio of the reserves, so the pool is asked what a thousandth of them sells for.
 */
export const stableReservesOf: Reserves = async (chain, pool, token, base) => {
  const reserves = await reservesOf(chain, pool, token, base)
  const part = reserves.tokenReserve / 1_000n
  const word = part.toString(16).padStart(64, '0')
  const paid = part === 0n ? 0n : await readUint(chain, pool, `0xf140a35a${word}${pad(token)}`)
  return { ...reserves, price: ratio(paid ?? 0n, part) }
}

/** `question`: call data whose answer starts with the square root of the price. */
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
