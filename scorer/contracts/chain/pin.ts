/**
 * Chooses how requests name the pinned block. By hash (EIP-1898) when the node supports it: one address may serve
 * several nodes, and a node that is behind or on another branch must refuse instead of answering from another block. By
 * number otherwise.
 */
import { isAssayError, messageOf } from '../../../platform/errors.ts'
import type { Requester } from './call.ts'

/** Block parameter of a request. */
export type BlockPin = string | { blockHash: string }

/**
 * Error messages of nodes for a block or state that they do not have (yet, or any more): geth (eth/api_backend.go,
 * triedb/pathdb), Besu (RpcErrorType.java), reth (rpc-eth-types/src/error/mod.rs), Erigon (rpc/rpchelper/helper.go) and
 * Nethermind (JsonRpc/Modules/BlockFinderExtensions.cs, EthRpcModule.cs). `pin.test.ts` quotes each.
 */
const UNKNOWN_BLOCK =
  /(block|header|resource|hash|state(?! overrid))\b.*(not|never) (be |currently )?(found|available|known|executed|canonical)|not found.*(block|header|hash)|unknown (block|header)|could not be found|missing trie node|no state available|state unavailable|haven't been fully indexed|pruned|body is missing/i

/** Whether a node lacks the block. Another node, or the same node later, may have it. */
const lacksBlock = (error: unknown): boolean => UNKNOWN_BLOCK.test(messageOf(error))

const unanswered = (error: unknown): boolean =>
  isAssayError(error) || /no answer within|deadline|RpcTransportError/.test(`${error} ${messageOf(error)}`)

/** Whether a node rejected the request itself, as opposed to not answering or lacking the block. */
export const refused = (error: unknown): boolean => !unanswered(error) && !lacksBlock(error)

const CACHE_MS = 10 * 60_000
const ZERO = `0x${'0'.repeat(40)}`

const knownOf = new WeakMap<Requester, { takesHash: boolean; until: number }>()

/**
 * Chooses the block parameter of state requests. Each requester is asked once in ten minutes whether it takes a hash.
 */
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
  // No answer, or a missing block, proves nothing about support for hashes.
  if (takesHash !== undefined) knownOf.set(rpc, { takesHash, until: now() + CACHE_MS })
  return takesHash === false ? number : pin
}
