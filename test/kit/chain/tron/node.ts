/**
 * A TRON node over HTTP: `/wallet` and `/walletsolidity` of java-tron, over a synthetic or re-linked chain, with the faults
 * of real ones. A seeded generator decides faults per call, so that runs repeat.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Counts, createFaults, listenOnLoopback, type Refusals, readBody } from '../../http-node.ts'
import type { Made, TronChain } from './chain.ts'
import type { PrintedBlock, PrintedInfo } from './transactions.ts'

export type TronFaults = Refusals & {
  /** Status of refusals, and their Retry-After in seconds. */
  status?: 403 | 429 | 503
  retryAfter?: number
  /** Share of calls answered 200 with java-tron's text for its own limit. */
  busy?: number
  /** Share of blocks by height and of solid blocks answered `{}`. */
  empty?: number
  /** Heights answered `{}`. */
  gaps?: readonly number[]
  /** Number of newest blocks the node does not know. */
  lag?: number
  /** Share of infos without the last one, or not available yet. */
  cutInfos?: number
  noInfos?: number
  /** Share of infos that belong to another branch. */
  otherBranch?: number
  /** Share of blocks whose first transaction moves more, is missing, or is under a changed header. */
  forgedTransaction?: number
  cutTransactions?: number
  forgedHeader?: number
  /** Share of blocks whose printed `raw_data` contradicts their bytes; nothing may read it. */
  forgedPrint?: number
  /** Internal transactions are not stored, java-tron's default. */
  withoutInternal?: boolean
  /** The solid chain is not offered. */
  withoutSolid?: boolean
  /** Height reported as solid, instead of the newest less 18; with another id if `solidId` is given. */
  solid?: number
  solidId?: string
  /** Delay before every answer, ms. */
  delayMs?: number
}

export type TronNode = {
  url: string
  /** Also counts calls by path. */
  counts: Counts & { paths: Map<string, number> }
  /** Heights requested as whole blocks, in order. */
  asked: number[]
  misbehave: (faults: TronFaults) => void
  stop: () => Promise<void>
}

/** Distance of the newest block from the solid one: 19 of 27 producers must build on it. */
const SOLID_LAG = 18
const MAX_BLOCKS = 100

/** JSON with whole numbers beyond 2^53, as Java prints them. */
export const printTron = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(/"#(-?\d+)#"/g, '$1')

type Body = Record<string, unknown>

const bodyOf = async (request: IncomingMessage): Promise<Body> => {
  const text = await readBody(request)
  const query = new URL(request.url ?? '/', 'http://x').searchParams
  return text === '' ? Object.fromEntries(query) : (JSON.parse(text) as Body)
}

export type TronNodeOptions = {
  faults?: TronFaults
  seed?: number
  /** Name, symbol and decimals of tokens, by 41-hex. */
  tokens?: Readonly<Record<string, { name: string; symbol: string; decimals: number }>>
}

const abiText = (text: string): string => {
  const hex = Buffer.from(text).toString('hex')
  const length = (hex.length / 2).toString(16).padStart(64, '0')
  return `${'20'.padStart(64, '0')}${length}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}

export const startTronNode = async (
  chain: TronChain,
  { faults: first = {}, seed = 1, tokens = {} }: TronNodeOptions = {},
): Promise<TronNode> => {
  const { now, setFaults, counts: calls, lies, refuses, called } = createFaults(first, seed)
  const asked: number[] = []
  const counts: TronNode['counts'] = Object.assign(calls, { paths: new Map<string, number>() })
  const newest = () => Math.max(0, chain.height() - (now().lag ?? 0))
  const known = (number: number): Made | undefined =>
    number <= newest() && !now().gaps?.includes(number) ? chain.at(number) : undefined

  const bendBlock = (block: PrintedBlock): PrintedBlock => {
    const [one, ...others] = block.transactions ?? []
    if (one && lies(now().forgedTransaction)) {
      const bytes = one.raw_data_hex.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
      return { ...block, transactions: [{ ...one, raw_data_hex: bytes }, ...others] }
    }
    if (one && lies(now().cutTransactions)) return { ...block, transactions: others }
    if (one && lies(now().forgedPrint)) {
      const [contract] = one.raw_data.contract
      const value = { ...contract!.parameter.value, amount: 123_456_789 }
      const printed = { ...contract!, parameter: { ...contract!.parameter, value } }
      return { ...block, transactions: [{ ...one, raw_data: { ...one.raw_data, contract: [printed] } }, ...others] }
    }
    if (!lies(now().forgedHeader)) return block
    const raw_data = { ...block.block_header.raw_data, timestamp: 1_700_000_000_123 }
    return { ...block, block_header: { ...block.block_header, raw_data } }
  }
  const bendInfos = (infos: PrintedInfo[]): PrintedInfo[] => {
    if (infos.length > 0 && lies(now().noInfos)) return []
    if (infos.length > 0 && lies(now().cutInfos)) return infos.slice(0, -1)
    if (infos.length > 0 && lies(now().otherBranch)) {
      return infos.map((info) => ({ ...info, blockTimeStamp: info.blockTimeStamp + 3_000 }))
    }
    if (!now().withoutInternal) return infos
    return infos.map(({ internal_transactions: _, ...info }) => info)
  }

  const blockAt = (number: number): unknown => {
    const made = known(number)
    return made && !lies(now().empty) ? bendBlock(made.block) : {}
  }
  const solid = (): unknown => {
    if (lies(now().empty)) return {}
    const made = chain.at(now().solid ?? Math.max(1, newest() - SOLID_LAG))
    return made ? { ...made.block, ...(now().solidId && { blockID: now().solidId }) } : {}
  }
  const view = ({ contract_address, function_selector }: Body): unknown => {
    const token = tokens[String(contract_address)]
    if (!token) return { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '' } }
    const answers: Record<string, string> = {
      'name()': abiText(token.name),
      'symbol()': abiText(token.symbol),
      'decimals()': token.decimals.toString(16).padStart(64, '0'),
    }
    return { result: { result: true }, constant_result: [answers[String(function_selector)] ?? ''] }
  }

  const ANSWERS: Record<string, (body: Body) => unknown> = {
    '/wallet/getnowblock': () => bendBlock(chain.at(newest())!.block),
    '/wallet/getblockbynum': ({ num }) => blockAt(Number(num)),
    '/wallet/getblockbylimitnext': ({ startNum, endNum }) => {
      const [start, end] = [Number(startNum), Math.min(Number(endNum), Number(startNum) + MAX_BLOCKS)]
      const numbers = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
      return { block: numbers.flatMap((number) => known(number)?.block ?? []) }
    },
    '/wallet/gettransactioninfobyblocknum': ({ num }) =>
      Number(num) <= 0 ? {} : bendInfos(known(Number(num))?.infos ?? []),
    '/walletsolidity/getnowblock': solid,
    '/wallet/triggerconstantcontract': view,
  }

  /** Answers about blocks without faults, as text: a fast node prints each once. */
  const printed = new Map<string, string>()
  const textOf = (path: string, answer: (body: Body) => unknown, body: Body): string => {
    const known = Object.keys(now()).length === 0 && typeof body.num === 'number' && chain.at(body.num)
    if (!known) return printTron(answer(body))
    const name = `${path} ${known.block.blockID}`
    const text = printed.get(name) ?? printTron(answer(body))
    printed.set(name, text)
    return text
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const path = new URL(request.url ?? '/', 'http://x').pathname
    counts.paths.set(path, (counts.paths.get(path) ?? 0) + 1)
    called(request)
    if (path === '/wallet/getblockbynum') asked.push(Number(body.num))
    if (now().delayMs) await new Promise((resolve) => setTimeout(resolve, now().delayMs))
    if (refuses()) {
      const { status = 429, retryAfter } = now()
      const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return response.writeHead(status, retry).end('{"Error":"refused"}')
    }
    const answer = now().withoutSolid && path.startsWith('/walletsolidity') ? undefined : ANSWERS[path]
    if (!answer) return response.writeHead(404).end('not found')
    response.writeHead(200, { 'content-type': 'application/json' })
    if (lies(now().busy)) {
      return response.end('{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}')
    }
    return response.end(textOf(path, answer, body))
  }
  const { origin, stop } = await listenOnLoopback(serve)
  return { url: origin, counts, asked, misbehave: setFaults, stop }
}
