/** What blocks of TON are read through: toncenter's HTTP API, in one of its two versions. */
import type { HttpApi } from '../../../platform/rpc/http-api.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { BlockHeader, BlockId, PlacedTransaction } from './raw.ts'

/** What is asked of a contract: a method with the one argument it may take. */
export type GetMethod = { address: string; method: string; argument?: { address: string } | { number: string } }

/** A number as it is written, or a bag of cells in base64; `undefined` for anything else. */
export type StackEntry = { number: string } | { bag: string } | undefined

/** What came back. `stack` is `undefined` where the contract has no such method or refused. */
export type Got = { stack: readonly StackEntry[] | undefined }

/** Which chain a node is on, in the words of its version. */
export type Identity = { is: string; expected: string }

/** Questions of one version. All throw RpcAbsent when the node lacks what is asked about, and RpcInconsistent when it contradicts itself. */
export type TonApi = {
  http: HttpApi
  identity: (node: Node) => Promise<Identity>
  newest: (node: Node) => Promise<Pick<BlockId, 'seqno' | 'root_hash'>>
  /** Header of the masterchain's block of a height. Height 0 is the zero state, as a block without transactions. */
  masterHeader: (node: Node, seqno: number) => Promise<BlockHeader>
  /** The newest block of each shard that a block of the masterchain made final. */
  tips: (node: Node, seqno: number) => Promise<BlockId[]>
  /**
   * Headers of blocks of shards that a block of the masterchain made final.
   * @param known the newest blocks that the one before it had made final.
   */
  headers: (
    node: Node,
    ids: readonly BlockId[],
    of: { seqno: number; known: readonly BlockId[] },
  ) => Promise<BlockHeader[]>
  /** All transactions of a block of the masterchain and of those that it made final, in order. */
  transactions: (node: Node, headers: readonly BlockHeader[], most?: number) => Promise<PlacedTransaction[]>
  contracts: (node: Node, questions: readonly GetMethod[]) => Promise<Got[]>
  /** Drops what a node said of a height, because some of it was wrong. */
  forget: (node: Node, seqno: number) => void
}
