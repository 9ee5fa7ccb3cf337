/**
 * Reads a node pinned to one block, over any JSON-RPC requester (an endpoint pool, a viem transport). Every request has
 * a deadline. What the node cannot do is `undefined` and does not fail the analysis.
 */
import { z } from 'zod'
import { messageOf, RetryableError } from '../../../platform/errors.ts'
import { type ChainCall, HEX, isHex, type Moment, type Overrides, type Requester } from './call.ts'
import type { LocalEvm, StateSource } from './evm/local.ts'
import { pinOf } from './pin.ts'
import { createSimulation } from './simulation.ts'
import { decodeWords, encodeWords, MAX_WORDS, type WordCall } from './simulator/reader.ts'

/** A number of up to 256 bits; some nodes send leading zeros. */
const QUANTITY = /^0x[0-9a-f]{1,64}$/i
const WORD = /^0x[0-9a-f]{64}$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i

const chainLog = z.object({
  address: z.string().regex(ADDRESS),
  topics: z.array(z.string().regex(WORD)),
  data: z.string().regex(HEX),
  blockNumber: z.string().regex(QUANTITY),
  transactionHash: z.string().regex(WORD),
  logIndex: z.string().regex(QUANTITY),
})
const logList = z.array(chainLog)
const receiptLogs = z.object({ logs: logList })
const accessListed = z.object({
  accessList: z.array(
    z.object({
      address: z.string().regex(ADDRESS),
      storageKeys: z
        .array(z.string().regex(WORD))
        .nullish()
        .transform((keys) => keys ?? []),
    }),
  ),
})

/** A log as the node sends it, with hex numbers. */
export type ChainLog = z.output<typeof chainLog>
/** Filter of logs up to the pinned block. */
export type LogFilter = { address?: string | string[]; topics?: (string | string[] | null)[]; fromBlock: number }

/** The chain at one block. What a node does not answer is `undefined` or empty, unless stated otherwise. */
export type ChainReader = {
  readonly height: number
  /** Hash of the pinned block. */
  readonly hash: string
  /**
   * Value that nobody could predict before the pinned block and that no contract can read after it: a commitment to its
   * state. Simulated moments are derived from it.
   */
  readonly seed: string
  /** Unix seconds of the pinned block. */
  readonly time: number
  /** Granularity of block times, seconds. */
  readonly timeStep: number
  readonly chainId: number
  /** Base fee of the pinned block, wei; 0 on networks without one. */
  readonly baseFee: bigint
  /** Gas price in wei that stays sufficient in the next blocks. */
  readonly gasPrice: bigint
  code: (address: string) => Promise<string>
  slot: (address: string, slot: string) => Promise<string>
  balance: (address: string) => Promise<bigint>
  /** Return data; `undefined` when the call failed, ran out of gas or returned an oversized answer. */
  call: (call: ChainCall) => Promise<string | undefined>
  /**
   * First words of many answers in few requests; `undefined` for a call that failed or needed more gas than a read
   * gets.
   */
  words: (calls: readonly WordCall[]) => Promise<(bigint | undefined)[]>
  /** Runs a call with state overrides at a given moment. `undefined` when it failed or could not be run. */
  execute: (call: ChainCall, overrides: Overrides, moment?: Moment) => Promise<string | undefined>
  /** Runs calls at given moments, each on the state left by the previous one. Calls of one moment share a block. */
  sequence: (
    blocks: { call: ChainCall; moment: Moment }[],
    overrides: Overrides,
  ) => Promise<(string | undefined)[] | undefined>
  /** Why a simulation could not be run; `undefined` while all could. */
  limitation: () => string | undefined
  /** Maximum gas of a simulated call. */
  simulationGas: () => Promise<number>
  /** `undefined` when the node refuses the range or returns invalid logs. */
  logs: (filter: LogFilter) => Promise<ChainLog[] | undefined>
  /** Storage slots that a call touches, by contract. */
  accessList: (call: ChainCall) => Promise<{ address: string; storageKeys: string[] }[] | undefined>
  /** Sender and receiver of a transaction. */
  transaction: (hash: string) => Promise<{ from: string; to: string | null } | undefined>
  blockTime: (number: number) => Promise<number | undefined>
  /** Logs of a transaction. */
  receipt: (hash: string) => Promise<ChainLog[] | undefined>
}

/** A JSON-RPC quantity: hex without leading zeros. */
export const quantity = (value: number | bigint): string => `0x${value.toString(16)}`

const isText = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value)
const isQuantity = (value: unknown): value is string => isText(value, QUANTITY)
const isAddress = (value: unknown): value is string => isText(value, ADDRESS)
const isWord = (value: unknown): value is string => isText(value, WORD)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const firstWord = (answer: string | undefined): bigint | undefined =>
  answer && answer.length >= 66 ? BigInt(answer.slice(0, 66)) : undefined

/** Rejects when the promise takes longer than `ms`. */
const within = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Error messages of nodes that mean "the call failed", not "the node failed". */
const REVERTED =
  /revert|invalid opcode|out ?of ?gas|oog|gas required exceeds|stack ?(under|over)flow|invalid ?jump|BadJump|OpcodeNotFound|halt|EVM error|execution aborted/i
/** Error messages of nodes that mean "the call asks for too much gas". */
const GAS_REFUSED = /gas.*(limit|cap|high|large|exceed)|(limit|cap|exceed).*gas/i
/** Priority fee, wei. */
const TIP = 100_000_000n
/** Maximum number of state reads by the in-process EVM per analysis. */
const MAX_READS = 3_000
/** Gas of one read: proxies and diamonds need some hundred thousand, and loops get no more. */
const READ_GAS = '0x2dc6c0'
/** Block gas limit when the node does not state it: mainnet's for years. */
const USUAL_GAS_LIMIT = 30_000_000
/** Gas of one small read, as in `Reader.sol`. */
const WORD_GAS = 300_000
/** Intrinsic gas of a call, and maximum gas per byte of call data (EIP-2028). */
const [CALL_GAS, BYTE_GAS] = [21_000, 16]
/** Gas of many small reads together: below the limit of public nodes. */
const WORDS_GAS = '0x1312d00'
const wordGas = ({ data }: WordCall): string => quantity(WORD_GAS + CALL_GAS + (BYTE_GAS * (data.length - 2)) / 2)
/** Maximum length of an answer to a read, characters. */
const MAX_ANSWER = 2 ** 17

/** Deadlines of the reader, and the fallback for simulations. */
export type ChainOptions = {
  /** Milliseconds per request. */
  requestMs: number
  /** Deadline of the whole analysis, ms since the epoch. */
  endsAt: number
  now: () => number
  /** The network's `timeStep`. Defaults to 1. */
  timeStep?: number
  /** Runs simulations that the node does not support. */
  evm?: LocalEvm
}

/**
 * Pins the block and creates the reader.
 * @throws RetryableError ASSAY_CONTRACT_NODE when the node gives no usable answer about the block or an account.
 */
export const createChainReader = async (
  rpc: Requester,
  asOf: number | 'latest',
  options: ChainOptions,
): Promise<ChainReader> => {
  const ask = (method: string, params: unknown[]): Promise<unknown> => {
    const left = Math.min(options.requestMs, options.endsAt - options.now())
    if (left <= 0) return Promise.reject(new Error('the deadline of the analysis has passed'))
    return within(rpc.request({ method, params }), left)
  }
  const must = async (method: string, params: unknown[]): Promise<unknown> => {
    try {
      return await ask(method, params)
    } catch (cause) {
      throw new RetryableError(
        'ASSAY_CONTRACT_NODE',
        `The node did not answer ${method}: ${messageOf(cause)}. The contract was not analysed. Try again or check the endpoint.`,
        { cause },
      )
    }
  }
  const mustBe = async (pattern: RegExp, what: string, method: string, params: unknown[]): Promise<string> => {
    const answer = await must(method, params)
    if (isText(answer, pattern)) return answer
    throw new RetryableError(
      'ASSAY_CONTRACT_NODE',
      `The node answered ${method} with a value that is not ${what}. The contract was not analysed. Check the endpoint.`,
    )
  }
  const mustHex = (method: string, params: unknown[]) => mustBe(HEX, 'hex', method, params)
  const mustQuantity = (method: string, params: unknown[]) => mustBe(QUANTITY, 'a number in hex', method, params)
  const maybe = async (method: string, params: unknown[]): Promise<unknown> => {
    try {
      return await ask(method, params)
    } catch {
      return undefined
    }
  }
  const [block, chainId] = await Promise.all([
    must('eth_getBlockByNumber', [asOf === 'latest' ? 'latest' : quantity(asOf), false]),
    mustQuantity('eth_chainId', []),
  ])
  if (!isRecord(block) || !isQuantity(block.number) || !isQuantity(block.timestamp) || !isWord(block.hash)) {
    throw new RetryableError(
      'ASSAY_CONTRACT_NODE',
      `The node does not have block ${asOf}. The contract was not analysed. Wait for the node to catch up.`,
    )
  }
  const at = await pinOf(rpc, ask, { number: block.number, hash: block.hash }, options.now)
  const height = Number(block.number)
  const baseFee = isQuantity(block.baseFeePerGas) ? BigInt(block.baseFeePerGas) : 0n
  const memo = new Map<string, Promise<string>>()
  const once = (key: string, load: () => Promise<string>): Promise<string> => {
    const known = memo.get(key) ?? load()
    memo.set(key, known)
    return known
  }

  let reads = 0
  /** State for the in-process EVM, with a limited number of reads per analysis. */
  const state: StateSource = async ({ address, slot }) => {
    if (++reads > MAX_READS) return { missing: `the simulation needs more than ${MAX_READS} state reads` }
    if (slot !== undefined) return { value: await reader.slot(address, slot) }
    const [balance, nonce, code] = await Promise.all([
      mustQuantity('eth_getBalance', [address, at]),
      mustQuantity('eth_getTransactionCount', [address, at]),
      reader.code(address),
    ])
    return { balance, nonce, code }
  }
  const simulation = createSimulation({
    rpc,
    ask,
    at,
    pinned: {
      id: `${chainId}:${block.hash}`,
      chainId: Number(chainId),
      height,
      time: Number(block.timestamp),
      baseFee,
      gasLimit: isQuantity(block.gasLimit) ? Number(block.gasLimit) : USUAL_GAS_LIMIT,
      // Blocks of test chains have neither; any value but zero works.
      coinbase: isAddress(block.miner) && BigInt(block.miner) > 0n ? block.miner : `0x${block.hash.slice(26)}`,
      prevRandao: isWord(block.mixHash) && BigInt(block.mixHash) > 0n ? block.mixHash : block.hash,
    },
    state,
    evm: options.evm,
    left: () => options.endsAt - options.now(),
    now: options.now,
  })

  const reader: ChainReader = {
    height,
    hash: block.hash,
    seed: [block.stateRoot, block.receiptsRoot, block.hash].filter(isHex).join(),
    time: Number(block.timestamp),
    timeStep: options.timeStep ?? 1,
    chainId: Number(chainId),
    baseFee,
    gasPrice: 2n * baseFee + TIP,
    code: (address) => once(`code:${address}`, () => mustHex('eth_getCode', [address, at])),
    slot: (address, slot) =>
      once(`slot:${address}:${slot}`, () => mustQuantity('eth_getStorageAt', [address, slot, at])),
    balance: async (address) => BigInt(await mustQuantity('eth_getBalance', [address, at])),
    call: async (call) => {
      try {
        const answer = await ask('eth_call', [{ gas: READ_GAS, ...call }, at])
        return isHex(answer) && answer.length <= MAX_ANSWER ? answer : undefined
      } catch (error) {
        if (REVERTED.test(messageOf(error))) return undefined
        if (GAS_REFUSED.test(messageOf(error)) && Number(call.gas ?? 0) > Number(READ_GAS))
          return reader.call({ ...call, gas: READ_GAS })
        throw new RetryableError(
          'ASSAY_CONTRACT_NODE',
          `The node did not answer eth_call: ${messageOf(error)}. The contract was not analysed. Try again or check the endpoint.`,
          { cause: error },
        )
      }
    },
    words: async (calls) => {
      const parts: (readonly WordCall[])[] = []
      for (let at = 0; at < calls.length; at += MAX_WORDS) parts.push(calls.slice(at, at + MAX_WORDS))
      const answers = await Promise.all(
        parts.map(async (part) => {
          if (part.length > 1) {
            const answer = await maybe('eth_call', [{ data: encodeWords(part), gas: WORDS_GAS }, at])
            const together = isHex(answer) ? decodeWords(part.length, answer) : undefined
            if (together) return together
          }
          return Promise.all(
            part.map(({ to, data }) => reader.call({ to, data, gas: wordGas({ to, data }) }).then(firstWord)),
          )
        }),
      )
      return answers.flat()
    },
    execute: (call, overrides, moment) => simulation.execute({ gas: READ_GAS, ...call }, overrides, moment),
    sequence: simulation.sequence,
    limitation: simulation.limitation,
    simulationGas: simulation.gas,
    logs: async ({ fromBlock, ...rest }) => {
      const answer = await maybe('eth_getLogs', [{ ...rest, fromBlock: quantity(fromBlock), toBlock: block.number }])
      return logList.safeParse(answer).data
    },
    accessList: async (call) => {
      const answer = await maybe('eth_createAccessList', [call, at])
      return accessListed.safeParse(answer).data?.accessList
    },
    transaction: async (hash) => {
      const answer = await maybe('eth_getTransactionByHash', [hash])
      if (!isRecord(answer) || !isAddress(answer.from)) return undefined
      return { from: answer.from.toLowerCase(), to: isAddress(answer.to) ? answer.to.toLowerCase() : null }
    },
    blockTime: async (number) => {
      const answer = await maybe('eth_getBlockByNumber', [quantity(number), false])
      return isRecord(answer) && isQuantity(answer.timestamp) ? Number(answer.timestamp) : undefined
    },
    receipt: async (hash) => {
      const answer = await maybe('eth_getTransactionReceipt', [hash])
      return receiptLogs.safeParse(answer).data?.logs
    },
  }
  return reader
}
