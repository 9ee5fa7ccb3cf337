/**
 * Exchanges whose pools are known of, but neither read nor traded in: LFJ's (Trader Joe's) Liquidity Book, in every version of its
 * factory. A token that trades there only has a market that nobody here can judge. Interface: its repository and public routers.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ChainReader } from '../../chain/chain.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import { wordAt } from '../market.ts'

const book = parseAbi(['function getAllLBPairs(address tokenX, address tokenY) view returns (uint256)'])
const hex = (address: string) => address as `0x${string}`

/** Why the token may have a market that is not read: an exchange has a pool of it against a base asset, or does not say. */
export const unreadMarket = async (
  chain: ChainReader,
  { unread, bases }: Pick<ContractRegistry, 'unread' | 'bases'>,
  token: string,
): Promise<string | undefined> => {
  const others = bases.filter(({ address }) => address !== token)
  const found = await Promise.all(
    unread.flatMap(({ address: to, name }) =>
      others.map(async ({ address }) => {
        const answer = await chain.call({
          to,
          data: encodeFunctionData({ abi: book, args: [hex(token), hex(address)] }),
        })
        if (answer === undefined) return `${name} did not answer whether it has a pool of it`
        // A list: where it begins, and how many pools it has. An account without code answers nothing.
        return (wordAt(answer, 1) ?? 0n) > 0n ? `it has a pool on ${name}, whose pools are not read` : undefined
      }),
    ),
  )
  return found.find((why) => why !== undefined)
}
