/**
 * Contract analysis: milliseconds for one and contracts a second for many, against a local node, held against the same
 * node answering exactly the questions the analysis asked, sent at once and read by nobody.
 */
import { readFileSync } from 'node:fs'
import { startLab } from '../../deploy/eval/lab.ts'
import { compileSource } from '../../deploy/eval/solidity.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Call, createPost } from '../../platform/rpc/post.ts'
import { createContractAnalysis } from '../../scorer/contract/analysis.ts'
import { batched } from '../../scorer/contract/batching.ts'
import { createPeople } from '../../scorer/contract/people/node.ts'
import type { BenchResult } from './run.ts'

const SOURCE = new URL('../contract/contract-tokens.sol', import.meta.url)
/** Contracts of the fixture that are no tokens, or are there to eat time. */
const LEFT_OUT = /^(Plain|Owned|Listed|Nothing|Oracle|AsksOutside|Proxy|Upgradeable|Locker|Endless|.*Megabytes|.*Bomb)$/
/** Characters of one POST: nodes refuse bodies of more than some megabytes. */
const POST_SIZE = 1_000_000

const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}
/** Works through the list with some at a time. */
const together = async <T>(list: readonly T[], width: number, work: (item: T) => Promise<unknown>) => {
  let next = 0
  const one = async () => {
    for (let item = list[next++]; item !== undefined; item = list[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: width }, one))
}

const inPosts = (calls: readonly Call[]): Call[][] => {
  const posts: Call[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const call of calls) {
    const length = JSON.stringify(call).length
    if (size + length > POST_SIZE) {
      posts.push([])
      size = 0
    }
    posts.at(-1)?.push(call)
    size += length
  }
  return posts
}

/** @param args tokens analysed in bulk (120), analyses at a time (4). */
export const run = async ([many = '120', width = '4']: string[] = []): Promise<BenchResult[]> => {
  const lab = await startLab()
  try {
    await lab.installExchange('ETH')
    const { contracts } = compileSource(readFileSync(SOURCE, 'utf8'))
    const from = lab.accounts[0] ?? ''
    const tokens: string[] = []
    for (const { name, creation } of contracts.filter(
      (item) => !LEFT_OUT.test(item.name) && item.creation.length > 2,
    )) {
      const token = await lab.deploy(from, creation)
      const pair = await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
      if (contracts.find((item) => item.name === name)?.abi.some((item) => item.name === 'setPool')) {
        await lab.send({ from, to: token, data: `0x4437152a${pair.slice(2).padStart(64, '0')}` })
      }
      tokens.push(token)
    }
    const post = createPost(lab.url, Date.now)
    let asked: Call[] = []
    let posts = 0
    const send = async (calls: readonly Call[]) => {
      asked.push(...calls)
      posts++
      return post(calls, 30_000)
    }
    const rpc = batched({
      request: async (call) => {
        const [outcome] = await send([call])
        if (!outcome || 'error' in outcome) throw outcome?.error ?? new Error('no answer')
        return outcome.result
      },
      batch: send,
    })
    const people = createPeople({ network: 'ETH' })
    const analyse = createContractAnalysis({ context: { clock: systemClock }, rpc, network: 'ETH', people })
    const questions = new Map<string, Call[]>()
    for (const token of tokens) {
      asked = []
      await analyse(token)
      questions.set(token, [...asked])
    }
    const ask = async (token: string) => {
      await Promise.all(inPosts(questions.get(token) ?? []).map((part) => post(part, 30_000)))
    }
    posts = 0
    const single: number[] = []
    const bare: number[] = []
    for (const token of [...tokens, ...tokens]) {
      single.push(await timed(() => analyse(token)))
      bare.push(await timed(() => ask(token)))
    }
    const perAnalysis = Math.round(posts / single.length)
    const list = Array.from({ length: Number(many) }, (_, i) => tokens[i % tokens.length] ?? '')
    const bulk = await timed(() => together(list, Number(width), analyse))
    const bareBulk = await timed(() => together(list, Number(width), ask))
    const calls = [...questions.values()].flat()
    const byMethod: Record<string, number> = {}
    for (const { method } of calls) byMethod[method] = (byMethod[method] ?? 0) + 1
    for (const method of Object.keys(byMethod)) {
      byMethod[method] = Math.round(((byMethod[method] ?? 0) / tokens.length) * 10) / 10
    }
    const rate = (ms: number) => Math.round((list.length / ms) * 10_000) / 10
    const [p50, bareP50] = [percentile(single, 0.5), percentile(bare, 0.5)]
    const share = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 1_000
    return [
      {
        what: 'one contract',
        figure: p50,
        ceiling: bareP50,
        ratio: share(bareP50, p50),
        unit: 'ms',
        p95: percentile(single, 0.95),
        contracts: tokens.length,
        postsEach: perAnalysis,
        callsEach: byMethod,
      },
      {
        what: 'bulk',
        figure: rate(bulk),
        ceiling: rate(bareBulk),
        ratio: share(bareBulk, bulk),
        unit: 'contracts/s',
        contracts: list.length,
        atOnce: Number(width),
      },
    ]
  } finally {
    await lab.stop()
  }
}
