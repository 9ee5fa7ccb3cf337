/**
 * What the analysis asks of a node, pinned to one block. Implemented over anything that can send a JSON-RPC request
 * (an endpoint pool, a viem transport); every request has a deadline, and a node that cannot do something answers
 * `undefined` instead of failing the analysis.
 */
import { z } from 'zod'
import { messageOf, RetryableError } from '../../../platform/errors.ts'
import { type ChainCall, HEX, isHex, type Moment, type Overrides, type Requester } from './call.ts'
import type { LocalEvm, StateSource } from './evm/local.ts'
import { pinOf } from './pin.ts'
import { createSimulation } from './simulation.ts'
import { decodeWords, encodeWords, MOST_WORDS, type WordCall } from './simulator/reader.ts'

/** A number of up to 256 bits: nodes differ in whether they send leading zeros. */
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

/** A log as the node sends it, with numbers in hex. */
export type ChainLog = z.output<typeof chainLog>
/** What logs are asked for, up to the pinned block. */
export type LogFilter = { address?: string | string[]; topics?: (string | string[] | null)[]; fromBlock: number }

/**
 * The chain as of one block. What a node cannot or will not answer is `undefined` or empty, and never an error of the
 * analysis.
 */
export type ChainReader = {
  readonly height: number
  /** Hash of the pinned block. */
  readonly hash: string
  /**
   * What nobody knew before the pinned block, and no contract can know after it: a commitment to its state. Simulated
   * moments are drawn from it.
   */
  readonly seed: string
  /** Unix seconds of the pinned block. */
  readonly time: number
  /** Seconds of which the times of blocks are a whole number apart. */
  readonly timeStep: number
  readonly chainId: number
  /** Wei for one unit of gas that the pinned block burns; 0 on networks without. */
  readonly baseFee: bigint
  /** Wei a person would pay for one unit of gas, whatever the next blocks bring. */
  readonly gasPrice: bigint
  code: (address: string) => Promise<string>
  slot: (address: string, slot: string) => Promise<string>
  balance: (address: string) => Promise<bigint>
  /** Return data; `undefined` when the call failed, for want of gas as well, or answered more than anyone would read. */
  call: (call: ChainCall) => Promise<string | undefined>
  /**
   * First words of many answers, asked in few requests; `undefined` where a call failed or needed more gas than a
   * simulation gives a read.
   */
  words: (calls: readonly WordCall[]) => Promise<(bigint | undefined)[]>
  /** A call with overrides at a pretended moment. `undefined` when nobody can run it or the call failed. */
  execute: (call: ChainCall, overrides: Overrides, moment?: Moment) => Promise<string | undefined>
  /** Calls at pretended moments, each on the state the one before left; those of one moment share a block. */
  sequence: (
    blocks: { call: ChainCall; moment: Moment }[],
    overrides: Overrides,
  ) => Promise<(string | undefined)[] | undefined>
  /** Why some simulation could not be run; `undefined` while all could. */
  limitation: () => string | undefined
  /** Gas a call of a simulation gets at most. */
  simulationGas: () => Promise<number>
  /** `undefined` when the node refuses the range, or answers something else than logs. */
  logs: (filter: LogFilter) => Promise<ChainLog[] | undefined>
  /** Slots a call touches, per contract. */
  accessList: (call: ChainCall) => Promise<{ address: string; storageKeys: string[] }[] | undefined>
  /** Sender of a transaction and its block's time. */
  transaction: (hash: string) => Promise<{ from: string; to: string | null } | undefined>
  blockTime: (number: number) => Promise<number | undefined>
  /** Logs of a transaction. */
  receipt: (hash: string) => Promise<ChainLog[] | undefined>
}

/** A number as JSON-RPC writes quantities: hex without leading zeros. */
export const quantity = (value: number | bigint): string => `0x${value.toString(16)}`

const isText = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value)
const isQuantity = (value: unknown): value is string => isText(value, QUANTITY)
const isAddress = (value: unknown): value is string => isText(value, ADDRESS)
const isWord = (value: unknown): value is string => isText(value, WORD)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const firstWord = (answer: string | undefined): bigint | undefined =>
  answer && answer.length >= 66 ? BigInt(answer.slice(0, 66)) : undefined

/** A promise that loses against the clock. */
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

/** Words of nodes for "the contract failed", as opposed to "the node failed". */
const REVERTED =
  /revert|invalid opcode|out ?of ?gas|oog|gas required exceeds|stack ?(under|over)flow|invalid ?jump|BadJump|OpcodeNotFound|halt|EVM error|execution aborted/i
/** Words of nodes for "more gas than a call may have". */
const GAS_REFUSED = /gas.*(limit|cap|high|large|exceed)|(limit|cap|exceed).*gas/i
/** Wei for one unit of gas beyond the base fee. */
const TIP = 100_000_000n
/** Parts of the state the in-process EVM may read for one analysis. */
const MOST_READS = 3_000
/** Gas of one read: proxies and diamonds need some hundred thousand, loops are not paid for. */
const READ_GAS = '0x2dc6c0'
/** Gas of a block where the node does not state it: that of mainnet for years. */
const USUAL_GAS_LIMIT = 30_000_000
/** Gas of one small read, as `Reader.sol` gives it. */
const WORD_GAS = 300_000
/** Gas of a call before anything runs, and at most for each byte of its data (EIP-2028). */
const [CALL_GAS, BYTE_GAS] = [21_000, 16]
/** Gas of many small reads together: below what public nodes allow a call. */
const WORDS_GAS = '0x1312d00'
const wordGas = ({ data }: WordCall): string => quantity(WORD_GAS + CALL_GAS + (BYTE_GAS * (data.length - 2)) / 2)
/** Characters of an answer to a read beyond which nobody means to be read. */
const MOST_ANSWER = 2 ** 17

/** How long the reader may take, and who simulates where the node does not. */
export type ChainOptions = {
  /** Milliseconds for one request. */
  requestMs: number
  /** Wall-clock end of the whole analysis, ms since the epoch. */
  endsAt: number
  now: () => number
  /** That of the network; 1 unless told. */
  timeStep?: number
  /** Runs simulations where the node does not. */
  evm?: LocalEvm
}

/**
 * Pins the block and returns the reader.
 * @throws RetryableError ASSAY_CONTRACT_NODE when the node answers nothing usable about the block or an account.
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
      `The node answered ${method} with something that is not ${what}. The contract was not analysed. Check the endpoint.`,
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
      `The node does not know block ${asOf}. The contract was not analysed. Wait for the node to catch up.`,
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
  /** State for the in-process EVM: a bounded number of reads per analysis. */
  const state: StateSource = async ({ address, slot }) => {
    if (++reads > MOST_READS) return { missing: `more than ${MOST_READS} parts of the state were needed` }
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
      // Blocks of test chains name neither: anything but zero will do.
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
        return isHex(answer) && answer.length <= MOST_ANSWER ? answer : undefined
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
      for (let at = 0; at < calls.length; at += MOST_WORDS) parts.push(calls.slice(at, at + MOST_WORDS))
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
