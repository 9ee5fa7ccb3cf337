/**
 * Exchanges whose pools are neither read nor traded in: all versions of LFJ's (Trader Joe's) Liquidity Book. A token
 * that trades only there has a market that cannot be analysed. Interface: its repository and public routers.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ChainReader } from '../../chain/chain.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import { wordAt } from '../market.ts'

const book = parseAbi(['function getAllLBPairs(address tokenX, address tokenY) view returns (uint256)'])
const hex = (address: string) => address as `0x${string}`

/**
 * Why the token may have an unsupported market: an exchange has a pool of it against a base asset, or did not answer.
 */
export const unsupportedMarket = async (
  chain: ChainReader,
  { unsupported, bases }: Pick<ContractRegistry, 'unsupported' | 'bases'>,
  token: string,
): Promise<string | undefined> => {
  const others = bases.filter(({ address }) => address !== token)
  const found = await Promise.all(
    unsupported.flatMap(({ address: to, name }) =>
      others.map(async ({ address }) => {
        const answer = await chain.call({
          to,
          data: encodeFunctionData({ abi: book, args: [hex(token), hex(address)] }),
        })
        if (answer === undefined) return `${name} did not answer whether it has a pool of the token`
        // The answer is a list: offset, then length. An account without code answers nothing.
        return (wordAt(answer, 1) ?? 0n) > 0n ? `the token has a pool on ${name}, which Assay does not read` : undefined
      }),
    ),
  )
  return found.find((why) => why !== undefined)
}
