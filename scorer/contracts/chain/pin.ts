/**
 * How a node is asked about the state of one block. By its hash (EIP-1898): behind one address there may be several nodes, and one that is
 * behind, or on another branch, has to refuse, not to answer from a block of its own. By number where a node takes no hash.
 */
import { isAssayError, messageOf } from '../../../platform/errors.ts'
import type { Requester } from './call.ts'

/** The block of a request, as nodes take it. */
export type BlockPin = string | { blockHash: string }

/**
 * Words of nodes for a block they do not have, or whose state they do not have (yet, or any more): geth (eth/api_backend.go,
 * triedb/pathdb), Besu (RpcErrorType.java), reth (rpc-eth-types/src/error/mod.rs), Erigon (rpc/rpchelper/helper.go) and Nethermind
 * (JsonRpc/Modules/BlockFinderExtensions.cs, EthRpcModule.cs), each of which `pin.test.ts` quotes.
 */
const UNKNOWN_BLOCK =
  /(block|header|resource|hash|state(?! overrid))\b.*(not|never) (be |currently )?(found|available|known|executed|canonical)|not found.*(block|header|hash)|unknown (block|header)|could not be found|missing trie node|no state available|state unavailable|haven't been fully indexed|pruned|body is missing/i

/** Whether a node lacks the block it was asked about: another one, or the same later, may have it. */
const lacksBlock = (error: unknown): boolean => UNKNOWN_BLOCK.test(messageOf(error))

const unanswered = (error: unknown): boolean =>
  isAssayError(error) || /no answer within|deadline|RpcTransportError/.test(`${error} ${messageOf(error)}`)

/** A node that said no to what was asked, as opposed to one that did not answer or lacks the block. */
export const refused = (error: unknown): boolean => !unanswered(error) && !lacksBlock(error)

const FORGET_MS = 10 * 60_000
const ZERO = `0x${'0'.repeat(40)}`

const knownOf = new WeakMap<Requester, { takesHash: boolean; until: number }>()

/** What names the block in requests for state. Whether it may be the hash is asked once in ten minutes of each requester. */
export const pinOf = async (
  rpc: Requester,
  ask: (method: string, params: unknown[]) => Promise<unknown>,
  { number, hash }: { number: string; hash: string },
  now: () => number,
): Promise<BlockPin> => {
  const pin = { blockHash: hash }
  const known = knownOf.get(rpc)
  if (known && known.until > now()) return known.takesHash ? pin : number
  const takesHash = await ask('eth_getBalance', [ZERO, pin]).then(
    () => true,
    (error) => (refused(error) ? false : undefined),
  )
  // Nothing is learned from a node that did not answer or lacks the block.
  if (takesHash !== undefined) knownOf.set(rpc, { takesHash, until: now() + FORGET_MS })
  return takesHash === false ? number : pin
}
