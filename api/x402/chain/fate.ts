/**
 * Looks up the outcome of an authorization on chain. `authorizationState` alone is not enough: it is also true for an authorization
 * that its payer canceled, or that paid somebody else with the same nonce. So the log of its use is read: `AuthorizationUsed` is
 * followed by its `Transfer` (EIP-3009; FiatTokenV2 emits them in this order).
 */
import { createPublicClient, encodeEventTopics, type Hex, http, numberToHex, pad, parseAbi } from 'viem'
import { messageOf, RetryableError } from '../../../platform/errors.ts'
import type { Payment } from '../ledger.ts'

/** The outcome of an authorization (EIP-3009), from events and state of the token. */
export type Fate =
  /** Unused as of a block with this time (Unix seconds). A later block may still settle it. */
  | { at: 'unused'; blockTime: number }
  /** Paid the amount to the receiver. */
  | { at: 'paid'; transaction: string }
  /** Canceled, or used for another transfer: it can never pay us. */
  | { at: 'spent' }

/** The authorization to look up. */
export type Question = Pick<
  Payment,
  'payer' | 'receiver' | 'nonce' | 'amount' | 'asset' | 'begun' | 'network' | 'transaction'
>

/** Which blocks count: all, or final blocks only. */
export type Visibility = 'latest' | 'finalized'

/**
 * Looks up an authorization; `undefined` without a configured node.
 * @throws RetryableError ASSAY_PAYMENT_NODE if the node does not answer, or is on another chain
 */
export type FateLookup = (question: Question, blockTag: Visibility) => Promise<Fate | undefined>

const ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const topicOf = (eventName: 'AuthorizationUsed' | 'AuthorizationCanceled' | 'Transfer'): Hex =>
  encodeEventTopics({ abi: ABI, eventName })[0]
const USED = topicOf('AuthorizationUsed')
const CANCELED = topicOf('AuthorizationCanceled')
const TRANSFER = topicOf('Transfer')

/** Blocks per log query. Public nodes refuse long ranges. */
const PAGE = 2_000n
/** Maximum time by which our clock is ahead of the chain's, seconds. */
const CLOCK_MARGIN = 600

const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`
const isHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/i.test(text)
const sameText = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()
const sameWord = (topic: Hex | undefined, address: string): boolean =>
  sameText(topic, pad(asHex(address.toLowerCase()), { size: 32 }))

type Log = { address: Hex; topics: readonly Hex[]; data: Hex; logIndex: Hex | null; transactionHash: Hex | null }

/** Looks up authorizations with a node. @param timeoutMs timeout of each request */
export const createFateLookup = (rpcUrl: string, timeoutMs = 10_000): FateLookup => {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs }) })

  const topicsOf = ({ payer, nonce }: Question): [Hex[], Hex, Hex] => [
    [USED, CANCELED],
    pad(asHex(payer.toLowerCase()), { size: 32 }),
    asHex(nonce),
  ]

  const receiptOf = (hash: Hex) => client.request({ method: 'eth_getTransactionReceipt', params: [hash] })

  /** The log that ended the authorization, if it is in the transaction that the facilitator reported. Avoids the search. */
  const namedEnd = async (question: Question, head: bigint): Promise<Log | undefined> => {
    const { transaction, asset } = question
    if (!isHash(transaction)) return undefined
    const receipt = await receiptOf(transaction)
    if (!receipt || BigInt(receipt.blockNumber) > head) return undefined
    const [ends, payer, nonce] = topicsOf(question)
    return receipt.logs.find(
      ({ address, topics: [what, by, of] }) =>
        sameText(address, asset) && ends.some((end) => end === what) && sameText(by, payer) && sameText(of, nonce),
    )
  }

  /** Searches for that log from the head backwards. */
  const foundEnd = async (question: Question, head: bigint): Promise<Log> => {
    const since = BigInt(Math.floor(question.begun / 1_000) - CLOCK_MARGIN)
    const topics = topicsOf(question)
    for (let to = head; ; to -= PAGE) {
      const from = to < PAGE ? 0n : to - PAGE + 1n
      const logs = await client.request({
        method: 'eth_getLogs',
        params: [{ address: asHex(question.asset), fromBlock: numberToHex(from), toBlock: numberToHex(to), topics }],
      })
      const [log] = logs
      if (log) return log
      if (from === 0n || (await client.getBlock({ blockNumber: from })).timestamp < since) break
    }
    throw new RangeError('the node has no log for an authorization that the token reports as used')
  }

  /**
   * Whether the log after `AuthorizationUsed` is the expected transfer.
   * @throws RangeError if the node does not have the receipt, or has one of another block. Public endpoints balance over several nodes,
   *   some of them behind, so a missing receipt does not mean that somebody else was paid.
   */
  const paidUs = async ({ payer, receiver, amount }: Question, used: Log): Promise<boolean> => {
    const receipt = await receiptOf(used.transactionHash ?? '0x')
    const logs = new Map(receipt?.logs.map((log) => [Number(log.logIndex), log]))
    const at = Number(used.logIndex)
    if (logs.get(at)?.topics.join() !== used.topics.join()) {
      throw new RangeError('the node has no receipt of the transaction that used the authorization')
    }
    const next = logs.get(at + 1)
    const [topic, from, to] = next?.topics ?? []
    return (
      next !== undefined &&
      sameText(next.address, used.address) &&
      topic === TRANSFER &&
      sameWord(from, payer) &&
      sameWord(to, receiver) &&
      BigInt(next.data) === BigInt(amount)
    )
  }

  let rightChain: string | undefined
  /** A node of another chain does not know our payments, which would look unsettled. */
  const assertChain = async (network: string): Promise<void> => {
    if (rightChain === network) return
    const chain = `eip155:${await client.getChainId()}`
    if (chain !== network) throw new RangeError(`the node is on ${chain}, but payments are made on ${network}`)
    rightChain = network
  }

  const lookUp = async (question: Question, blockTag: Visibility): Promise<Fate> => {
    await assertChain(question.network)
    const head = await client.getBlock({ includeTransactions: false, blockTag: blockTag })
    if (head.number === null) throw new RangeError('the node returned a block without a number')
    const used = await client.readContract({
      address: asHex(question.asset),
      abi: ABI,
      functionName: 'authorizationState',
      args: [asHex(question.payer), asHex(question.nonce)],
      blockNumber: head.number,
    })
    if (!used) return { at: 'unused', blockTime: Number(head.timestamp) }
    const end = (await namedEnd(question, head.number)) ?? (await foundEnd(question, head.number))
    return end.topics[0] === USED && (await paidUs(question, end))
      ? { at: 'paid', transaction: end.transactionHash ?? '' }
      : { at: 'spent' }
  }

  return (question, blockTag) =>
    lookUp(question, blockTag).catch((cause) => {
      throw new RetryableError(
        'ASSAY_PAYMENT_NODE',
        `A payment could not be looked up on its node (${messageOf(cause).split('\n')[0]}), so its outcome is not known yet. The look-up is repeated. Check ASSAY_X402_RPC_URL.`,
        { cause },
      )
    })
}
