/** Answers of a node of the simulated chain to each method. */
import { toHex } from 'viem'
import { AUTHORITY_GETTERS } from '../../../../schema/registry/authorities.ts'
import { EVENTS } from '../../../../schema/registry/index.ts'
import { CONTRACTS } from './actions.ts'
import type { Header, Mainnet } from './chain.ts'
import { type Limits, type Refused, refuseRange, refuseResults, refuseState, refuseTraces } from './limits.ts'
import type { Body, Log } from './transactions.ts'

type Params = readonly unknown[]
type Filter = {
  fromBlock?: string
  toBlock?: string
  blockHash?: string
  address?: string | string[]
  topics?: (string | string[] | null)[]
}
type Frame = {
  number: number
  from: string
  to: string
  value: bigint
  transaction: number
  path: number[]
  calls: number
}

/** Number of blocks above the final one. */
const FINAL_DEPTH = 64
const YES = `0x${'1'.padStart(64, '0')}`
const NO = `0x${'0'.repeat(64)}`
/** Code of every created contract: it reverts. */
const CODE = '0x60006000fd'

const lower = (value: unknown): string => String(value).toLowerCase()
const alternatives = (value: string | string[] | null | undefined) =>
  value === null || value === undefined ? undefined : new Set([value].flat().map(lower))

const matcherOf = ({ address, topics = [] }: Filter) => {
  const addresses = alternatives(address)
  const places = topics.map(alternatives)
  return (log: Log): boolean =>
    (!addresses || addresses.has(log.address)) &&
    places.every((some, at) => !some || some.has(lower(log.topics[at] ?? '')))
}

/** @throws Refused */
export const createAnswers = (chain: Mainnet) => {
  const tagged = (at: unknown): number => {
    if (at === 'latest' || at === 'pending' || at === undefined) return chain.head()
    if (at === 'finalized' || at === 'safe') return Math.max(0, chain.head() - FINAL_DEPTH)
    if (at === 'earliest') return 0
    return Number(at)
  }
  /** Number of a block given by number, tag or hash (also EIP-1898); -1 if there is none. */
  const placeOf = (named: unknown): number => {
    const at = typeof named === 'object' && named !== null && 'blockHash' in named ? named.blockHash : named
    const number = typeof at === 'string' && at.length === 66 ? (chain.numberOf(at) ?? -1) : tagged(at)
    return number <= chain.head() ? number : -1
  }
  const isGone = ({ pruned }: Limits, number: number) => pruned !== undefined && number < pruned.below
  /** Returns true if the node silently has no data for the block. @throws Refused if it reports pruned history. */
  const forgotten = (limits: Limits, number: number): boolean => {
    if (!isGone(limits, number)) return false
    if (limits.pruned?.silently) return true
    throw { code: 4444, message: 'pruned history unavailable' } satisfies Refused
  }
  const headerAt = (number: number): Header => {
    const header = chain.header(number)
    if (!header) throw { code: -32_000, message: 'unknown block' } satisfies Refused
    return header
  }
  const placed = (number: number) => ({ blockNumber: toHex(number), blockHash: headerAt(number).hash })

  const block = (number: number, full: boolean) => {
    if (number < 0) return null
    const { transactions } = chain.body(number)
    const at = placed(number)
    return {
      ...headerAt(number),
      transactions: full
        ? transactions.map((one, index) => ({ ...one, ...at, transactionIndex: toHex(index) }))
        : transactions.map(({ hash }) => hash),
    }
  }

  const logsOf = (number: number, matches: (log: Log) => boolean, { logs, transactions }: Body = chain.body(number)) =>
    logs.flatMap(({ transaction, ...log }, index) =>
      matches(log)
        ? [
            {
              ...log,
              ...placed(number),
              transactionHash: transactions[transaction]?.hash,
              transactionIndex: toHex(transaction),
              logIndex: toHex(index),
              removed: false,
            },
          ]
        : [],
    )

  const receipts = (number: number) => {
    if (number < 0) return null
    const at = placed(number)
    const { receipts: all } = chain.body(number)
    const logs = logsOf(number, () => true)
    return all.map((receipt, index) => ({
      ...receipt,
      ...at,
      transactionIndex: toHex(index),
      logs: logs.filter(({ transactionIndex }) => Number(transactionIndex) === index),
    }))
  }
  /** Only scheduled transactions can be found by hash. */
  const receipt = (hash: string) => {
    const number = chain.storyBlocks().find((one) => chain.body(one).transactions.some((it) => it.hash === hash))
    return number === undefined ? null : (receipts(number)?.find((one) => one.transactionHash === hash) ?? null)
  }

  /** Blocks from `from` to `to` in which `has` may hold for the body, ascending. */
  const blocksWith = function* (from: number, to: number, has: (body: Body) => boolean): Generator<number> {
    const storyBlocks = chain.storyBlocks()
    const strangers = new Set(chain.strangers.flatMap((body, index) => (has(body) ? [index] : [])))
    if (strangers.size === 0) {
      for (const number of storyBlocks) if (number >= from && number <= to && has(chain.body(number))) yield number
      return
    }
    for (let number = from; number <= to; number += 1) if (has(chain.body(number))) yield number
  }

  const logs = (limits: Limits, filter: Filter) => {
    const one = filter.blockHash === undefined ? undefined : placeOf(filter.blockHash)
    const from = one ?? tagged(filter.fromBlock)
    const to = Math.min(chain.head(), one ?? tagged(filter.toBlock))
    const refused = refuseRange(limits, from, to)
    if (refused) throw refused
    const matches = matcherOf(filter)
    const found: ReturnType<typeof logsOf> = []
    for (const number of blocksWith(Math.max(0, from), to, (body) => body.logs.some(matches))) {
      if (isGone(limits, number)) continue
      found.push(...logsOf(number, matches))
      const tooMany = refuseResults(limits, found.length, from, to)
      if (tooMany) throw tooMany
    }
    return found
  }

  const framesOf = (number: number): Frame[] => {
    const { transactions, inner } = chain.body(number)
    return transactions.flatMap(({ from, to, value }, transaction): Frame[] => {
      const calls = inner[transaction] ?? []
      return [
        { number, from, to: to ?? '', value: BigInt(value), transaction, path: [], calls: calls.length },
        ...calls.map((call, at) => ({ number, ...call, transaction, path: [at], calls: 0 })),
      ]
    })
  }
  const parity = ({ number, from, to, value, transaction, path, calls }: Frame) => {
    const { transactions, receipts: all } = chain.body(number)
    const failed = all[transaction]?.status === '0x0'
    return {
      type: 'call',
      action: {
        callType: 'call',
        from,
        to,
        value: toHex(value),
        gas: '0x0',
        input: path.length === 0 ? transactions[transaction]?.input : '0x',
      },
      ...(failed ? { error: 'Reverted' } : { result: { gasUsed: '0x0', output: '0x' } }),
      subtraces: calls,
      traceAddress: path,
      transactionHash: transactions[transaction]?.hash,
      transactionPosition: transaction,
      blockNumber: number,
      blockHash: headerAt(number).hash,
    }
  }
  const callTraces = (number: number) =>
    chain.body(number).transactions.map(({ hash, from, to, value, input }, index) => ({
      txHash: hash,
      result: {
        type: 'CALL',
        ...{ from, to, value, input, gas: '0x0', gasUsed: '0x0' },
        ...(chain.body(number).receipts[index]?.status === '0x0' && { error: 'execution reverted' }),
        calls: (chain.body(number).inner[index] ?? []).map((call) => ({
          type: 'CALL',
          ...{ from: call.from, to: call.to, value: toHex(call.value), input: '0x' },
        })),
      },
    }))

  type TraceFilter = {
    fromBlock: string
    toBlock: string
    fromAddress?: string[]
    toAddress?: string[]
    after?: number
    count?: number
  }
  const traceFilter = (
    limits: Limits,
    { fromBlock, toBlock, fromAddress, toAddress, after = 0, count }: TraceFilter,
  ) => {
    const [from, to] = [Number(fromBlock), Math.min(chain.head(), Number(toBlock))]
    const refused = refuseTraces(limits, from, to)
    if (refused) throw refused
    const [senders, receivers] = [alternatives(fromAddress), alternatives(toAddress)]
    const found: Frame[] = []
    const fits = ({ from, to }: { from: string; to: string | null }) =>
      (!senders || senders.has(from)) && (!receivers || receivers.has(to ?? ''))
    const has = ({ transactions, inner }: Body) => transactions.some(fits) || inner.flat().some(fits)
    for (const number of blocksWith(from, to, has)) found.push(...framesOf(number).filter(fits))
    return found.slice(after, count === undefined ? undefined : after + count).map(parity)
  }

  /** Pages hold whole blocks, newest first. */
  const searchBefore = (address: string, before: number, size: number) => {
    const wanted = address.toLowerCase()
    const touches = ({ transactions, inner }: Body, index: number) =>
      [transactions[index], ...(inner[index] ?? [])].some((one) => one && (one.from === wanted || one.to === wanted))
    const any = (body: Body) => body.transactions.some((_, index) => touches(body, index))
    const top = before === 0 ? chain.head() : before - 1
    const numbers = chain
      .storyBlocks()
      .filter((number) => number <= top && any(chain.body(number)))
      .toReversed()
    const txs: { hash: string; blockNumber: string }[] = []
    let read = 0
    for (const number of numbers) {
      if (txs.length >= size) break
      read += 1
      const body = chain.body(number)
      body.transactions.forEach((one, index) => {
        if (touches(body, index)) txs.push({ ...one, hash: one.hash, ...placed(number) })
      })
    }
    return { txs, receipts: [], firstPage: before === 0, lastPage: read === numbers.length }
  }

  /** Whether the newest log of an authority about an address lists it. */
  const isListed = (authority: string, address: string): boolean => {
    const { sanctionsAdded, sanctionsRemoved, addedBlackList, blacklisted } = EVENTS
    const on = new Set([sanctionsAdded.topic, addedBlackList.topic, blacklisted.topic] as string[])
    const off = new Set([sanctionsRemoved.topic] as string[])
    const digits = address.slice(2)
    const newest = chain
      .storyBlocks()
      .flatMap((number) => chain.body(number).logs)
      .filter(
        ({ address: emitter, topics, data }) =>
          emitter === authority && `${topics.slice(1).join()}${data}`.includes(digits),
      )
      .findLast(({ topics }) => on.has(topics[0] ?? '') || off.has(topics[0] ?? ''))
    return newest !== undefined && on.has(newest.topics[0] ?? '')
  }
  const selectors = new Map(Object.entries(AUTHORITY_GETTERS).map(([family, getter]) => [getter?.selector, family]))
  const contracts = new Set<string>(Object.values(CONTRACTS))
  const families: Record<string, string> = {
    [CONTRACTS.oracle]: 'oracle',
    [CONTRACTS.usdt]: 'tether',
    [CONTRACTS.usdc]: 'circle',
  }
  const call = ({ to, data = '0x' }: { to?: string; data?: string }) => {
    const place = lower(to)
    const family = selectors.get(data.slice(0, 10))
    if (family === undefined || families[place] !== family) {
      if (contracts.has(place)) throw { code: 3, message: 'execution reverted' } satisfies Refused
      return '0x'
    }
    return isListed(place, `0x${lower(data).slice(-40)}`) ? YES : NO
  }

  const isCreated = (address: string): boolean =>
    chain.storyBlocks().some((number) => chain.body(number).receipts.some((one) => one.contractAddress === address))

  const stateAt = (limits: Limits, at: unknown): number => {
    const number = placeOf(at)
    if (number < 0) throw { code: -32_000, message: 'header not found' } satisfies Refused
    const refused = refuseState(limits, number, chain.head())
    if (refused) throw refused
    return number
  }

  const methods: Record<string, (params: Params, limits: Limits) => unknown> = {
    eth_chainId: () => '0x1',
    net_version: () => '1',
    web3_clientVersion: () => 'Simulated/v1.0.0',
    eth_syncing: () => false,
    eth_blockNumber: () => toHex(chain.head()),
    eth_getBlockByNumber: ([at, full], limits) => {
      const number = placeOf(at)
      return full === true && number >= 0 && forgotten(limits, number) ? null : block(number, full === true)
    },
    eth_getBlockByHash: ([at, full], limits) => {
      const number = placeOf(at)
      return full === true && number >= 0 && forgotten(limits, number) ? null : block(number, full === true)
    },
    eth_getBlockReceipts: ([at], limits) => {
      const number = placeOf(at)
      return number >= 0 && forgotten(limits, number) ? null : receipts(number)
    },
    eth_getTransactionReceipt: ([hash]) => receipt(lower(hash)),
    eth_getLogs: ([filter], limits) => logs(limits, filter as Filter),
    eth_getBalance: ([address, at], limits) => toHex(chain.account(lower(address), stateAt(limits, at)).balance),
    eth_getTransactionCount: ([address, at], limits) => toHex(chain.account(lower(address), stateAt(limits, at)).nonce),
    eth_getCode: ([address, at], limits) => {
      stateAt(limits, at)
      return contracts.has(lower(address)) ? '0x5e' : isCreated(lower(address)) ? CODE : '0x'
    },
    eth_getStorageAt: ([, , at], limits) => {
      stateAt(limits, at)
      return NO
    },
    eth_call: ([request, at], limits) => {
      stateAt(limits, at)
      return call(request as { to?: string; data?: string })
    },
    trace_block: ([at]) => (placeOf(at) < 0 ? null : framesOf(placeOf(at)).map(parity)),
    debug_traceBlockByNumber: ([at]) => callTraces(placeOf(at)),
    debug_traceBlockByHash: ([at]) => callTraces(placeOf(at)),
    trace_filter: ([filter], limits) => traceFilter(limits, filter as TraceFilter),
    ots_getApiLevel: () => 8,
    ots_searchTransactionsBefore: ([address, before, size]) =>
      searchBefore(String(address), Number(before), Number(size)),
  }

  return (method: string, params: Params, limits: Limits): unknown => {
    const answer = methods[method]
    if (!answer || limits.without?.some((name) => method.startsWith(name))) {
      throw { code: -32_601, message: `the method ${method} does not exist/is not available` } satisfies Refused
    }
    return answer(params, limits)
  }
}
