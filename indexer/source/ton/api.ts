/** The port to TON's nodes: toncenter's HTTP API, in one of its two versions. */
import type { HttpApi } from '../../../platform/rpc/http-api.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { BlockHeader, BlockId, PlacedTransaction } from './raw.ts'

/** A get method of a contract, with its optional argument. */
export type GetMethod = { address: string; method: string; argument?: { address: string } | { number: string } }

/** A number as text, or a bag of cells in base64; `undefined` for anything else. */
export type StackEntry = { number: string } | { bag: string } | undefined

/** Result of a get method. `stack` is `undefined` if the contract has no such method or failed. */
export type Got = { stack: readonly StackEntry[] | undefined }

/** The node's chain and the expected one, in terms of the API version. */
export type Identity = { is: string; expected: string }

/** Calls of one API version. All throw RpcAbsent when the node lacks an object, and RpcInconsistent when it contradicts itself. */
export type TonApi = {
  http: HttpApi
  identity: (node: Node) => Promise<Identity>
  newest: (node: Node) => Promise<Pick<BlockId, 'seqno' | 'root_hash'>>
  /** Header of the masterchain block at a height. Height 0 is the zero state, represented as a block without transactions. */
  masterHeader: (node: Node, seqno: number) => Promise<BlockHeader>
  /** The newest block of each shard that a masterchain block made final. */
  tips: (node: Node, seqno: number) => Promise<BlockId[]>
  /**
   * Headers of shard blocks that a masterchain block made final.
   * @param known the newest blocks that the previous masterchain block had made final.
   */
  headers: (
    node: Node,
    ids: readonly BlockId[],
    of: { seqno: number; known: readonly BlockId[] },
  ) => Promise<BlockHeader[]>
  /** All transactions of a masterchain block and of the shard blocks it made final, in order. */
  transactions: (node: Node, headers: readonly BlockHeader[], maxTransactions?: number) => Promise<PlacedTransaction[]>
  contracts: (node: Node, questions: readonly GetMethod[]) => Promise<Got[]>
  /** Drops a node's cached answers about a height, because some of them were wrong. */
  forget: (node: Node, seqno: number) => void
}
