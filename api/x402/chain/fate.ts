/**
 * What became of an authorization, as the token recorded it. `authorizationState` alone does not answer that: it is true as
 * well for one that its payer canceled, and for one of the same nonce that paid somebody else. So the log of its use is
 * read: `AuthorizationUsed` is followed by the `Transfer` it caused (EIP-3009; FiatTokenV2 emits them in this order).
 */
import { createPublicClient, encodeEventTopics, type Hex, http, numberToHex, pad, parseAbi } from 'viem'
import { messageOf, RetryableError } from '../../../platform/errors.ts'
import type { Payment } from '../ledger.ts'

/** What the token's events and state show of an authorization (EIP-3009). */
export type Fate =
  /** Unused in a block of this time (Unix seconds): settled only if a later block does it. */
  | { at: 'unused'; blockTime: number }
  /** The receiver got the amount. */
  | { at: 'paid'; transaction: string }
  /** Canceled, or used to pay somebody or something else: it can never pay us. */
  | { at: 'spent' }

/** The authorization that is looked for. */
export type Question = Pick<
  Payment,
  'payer' | 'receiver' | 'nonce' | 'amount' | 'asset' | 'begun' | 'network' | 'transaction'
>

/** Which blocks count: all of them, or those that the chain calls final. */
export type Sight = 'latest' | 'finalized'

/**
 * `undefined` where no chain is configured to be asked.
 * @throws RetryableError ASSAY_PAYMENT_NODE when the chain did not answer, or another chain did.
 */
export type FateLookup = (question: Question, sight: Sight) => Promise<Fate | undefined>

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

/** Blocks of one log query: public nodes refuse long ranges. */
const PAGE = 2_000n
/** Our clock may be ahead of the chain's by so much, seconds. */
const CLOCK_MARGIN = 600

const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`
const isHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/i.test(text)
const sameText = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()
const sameWord = (topic: Hex | undefined, address: string): boolean =>
  sameText(topic, pad(asHex(address.toLowerCase()), { size: 32 }))

type Log = { address: Hex; topics: readonly Hex[]; data: Hex; logIndex: Hex | null; transactionHash: Hex | null }

/** Asks a node of the token's network, with a deadline for each question. */
export const createFateLookup = (rpcUrl: string, timeoutMs = 10_000): FateLookup => {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs }) })

  const topicsOf = ({ payer, nonce }: Question): [Hex[], Hex, Hex] => [
    [USED, CANCELED],
    pad(asHex(payer.toLowerCase()), { size: 32 }),
    asHex(nonce),
  ]

  const receiptOf = (hash: Hex) => client.request({ method: 'eth_getTransactionReceipt', params: [hash] })

  /** The log that ended the authorization, where the transaction that the facilitator named has it. Spares the search. */
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

  /** The same, searched from the head backwards. */
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
    throw new RangeError('the node has no log of the end of an authorization that the token counts as used')
  }

  /**
   * Whether the log that follows the use is the transfer we were promised.
   * @throws RangeError when the node does not have the receipt, or has that of another block. Public addresses lead to several nodes,
   * some of them behind: what one of them does not have yet is no sign that somebody else was paid.
   */
  const paidUs = async ({ payer, receiver, amount }: Question, used: Log): Promise<boolean> => {
    const receipt = await receiptOf(used.transactionHash ?? '0x')
    const logs = new Map(receipt?.logs.map((log) => [Number(log.logIndex), log]))
    const at = Number(used.logIndex)
    if (logs.get(at)?.topics.join() !== used.topics.join()) {
      throw new RangeError('the node has no receipt of the transaction that used an authorization')
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
  /** A node of another chain has never heard of our payments: what it does not have must not be held against anybody. */
  const assertChain = async (network: string): Promise<void> => {
    if (rightChain === network) return
    const chain = `eip155:${await client.getChainId()}`
    if (chain !== network) throw new RangeError(`the node serves ${chain}, and payments are made on ${network}`)
    rightChain = network
  }

  const lookUp = async (question: Question, sight: Sight): Promise<Fate> => {
    await assertChain(question.network)
    const head = await client.getBlock({ includeTransactions: false, blockTag: sight })
    if (head.number === null) throw new RangeError('the node gave a block without a number')
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

  return (question, sight) =>
    lookUp(question, sight).catch((cause) => {
      throw new RetryableError(
        'ASSAY_PAYMENT_NODE',
        `The node payments are looked up on gave no answer (${messageOf(cause).split('\n')[0]}), so it is not known yet whether one moved. It is asked again. Check ASSAY_X402_RPC_URL.`,
        { cause },
      )
    })
}
