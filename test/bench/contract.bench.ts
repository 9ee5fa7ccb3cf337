/**
 * Contract analysis: milliseconds for one and contracts a second for many, each contract analysed for the first time,
 * against a local node; compared with the same node answering exactly the analysis's requests, all sent at once
 * and not read.
 */
import { readFileSync } from 'node:fs'
import { systemClock } from '../../platform/context/clock.ts'
import { type Call, createPost } from '../../platform/rpc/post.ts'
import { createContractAnalysis } from '../../scorer/contracts/analysis.ts'
import { batched } from '../../scorer/contracts/chain/batching.ts'
import { createStakeholders } from '../../scorer/contracts/stakeholders/node.ts'
import { type Lab, startLab } from '../kit/contracts/markets/exchange-chain.ts'
import { compileSource } from '../kit/contracts/solidity/compile.ts'
import type { BenchResult } from './run.ts'

const SOURCE = new URL('../kit/contracts/tokens/contract-tokens.sol', import.meta.url)
/** Tokens of the fixture that can be listed on their own and are not made to consume time. */
const FAMILY = [
  ...['Impersonal', 'FixedFee', 'Honeypot', 'ClosesByTime', 'ClosesByAge', 'SellsCrumbs', 'Whitelisted', 'HeavyTax'],
  ...[
    'RisingTax',
    'PersonalTax',
    'HiddenMinter',
    'OpenMinter',
    'CappedMinter',
    'FakeRenounce',
    'LockedOwner',
    'Issuer',
  ],
  ...['Burner', 'Rebasing', 'AntiWhale', 'AntiWhaleModifiable', 'Cooldown', 'NotOpen', 'NotOpenHoneypot', 'Switch'],
]
const TIMEOUT_MS = 60_000

const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}
/** Processes the list with limited concurrency. */
const together = async <T>(list: readonly T[], width: number, work: (item: T) => Promise<unknown>) => {
  let next = 0
  const one = async () => {
    for (let item = list[next++]; item !== undefined; item = list[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: width }, one))
}

/** Tokens with a pool, no two of the same code: bytes that never run make them differ. */
const listTokens = async (lab: Lab, count: number): Promise<string[]> => {
  await lab.installExchange('ETH')
  const { contracts } = compileSource(readFileSync(SOURCE, 'utf8'))
  const family = contracts.filter((item) => FAMILY.includes(item.name))
  const from = lab.accounts[0] ?? ''
  const tokens: string[] = []
  for (let i = 0; i < count; i++) {
    const one = family[i % family.length]
    if (!one) break
    const token = await lab.deploy(from, one.creation)
    const pair = await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
    if (one.abi.some((item) => item.name === 'setPool')) {
      await lab.send({ from, to: token, data: `0x4437152a${pair.slice(2).padStart(64, '0')}` })
    }
    const code = await lab.ask<string>('eth_getCode', token, 'latest')
    await lab.ask('anvil_setCode', token, `${code}fe${i.toString(16).padStart(8, '0')}`)
    tokens.push(token)
  }
  return tokens
}

/** @param args contracts analysed one by one (60) and in bulk (120), concurrent analyses in bulk (4) */
export const run = async ([few = '60', many = '120', width = '4']: string[] = []): Promise<BenchResult[]> => {
  const lab = await startLab()
  try {
    const [warm, alone, bulk] = [10, Number(few), Number(many)]
    const tokens = await listTokens(lab, warm + alone + bulk)
    const post = createPost(lab.url, Date.now)
    let asked: Call[][] = []
    const send = async (calls: readonly Call[]) => {
      asked.push([...calls])
      return post(calls, TIMEOUT_MS)
    }
    const rpc = batched({
      request: async (call) => {
        const [outcome] = await send([call])
        if (!outcome || 'error' in outcome) throw outcome?.error ?? new Error('no answer')
        return outcome.result
      },
      batch: send,
    })
    const stakeholders = createStakeholders({ network: 'ETH' })
    const analyse = createContractAnalysis({ context: { clock: systemClock }, rpc, network: 'ETH', stakeholders })
    const ask = (posts: Call[][]) => Promise.all(posts.map((calls) => post(calls, TIMEOUT_MS)))
    await together(tokens.slice(0, warm), 1, (token) => analyse(token))

    const single: number[] = []
    const bare: number[] = []
    const questions: Call[][][] = []
    for (const token of tokens.slice(warm, warm + alone)) {
      asked = []
      single.push(await timed(() => analyse(token)))
      const posts = asked
      questions.push(posts)
      bare.push(await timed(() => ask(posts)))
    }
    asked = []
    const before = process.cpuUsage()
    const bulkMs = await timed(() => together(tokens.slice(warm + alone), Number(width), (token) => analyse(token)))
    const { user, system } = process.cpuUsage(before)
    const posts = asked
    const each = Math.ceil(posts.length / bulk)
    const shares = Array.from({ length: bulk }, (_, i) => posts.slice(i * each, (i + 1) * each))
    const bareMs = await timed(() => together(shares, Number(width), ask))

    const rounded = (value: number) => Math.round(value * 1_000) / 1_000
    const perContract = (pick: (posts: Call[][]) => number) =>
      Math.round(questions.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, questions.length))
    const [p50, bareP50] = [percentile(single, 0.5), percentile(bare, 0.5)]
    const rate = (ms: number) => rounded((bulk / ms) * 1_000)
    return [
      {
        what: 'one contract',
        figure: p50,
        ceiling: bareP50,
        ratio: rounded(bareP50 / p50),
        unit: 'ms',
        p95: percentile(single, 0.95),
        contracts: alone,
        postsEach: perContract((posts) => posts.length),
        callsEach: perContract((posts) => posts.flat().length),
        kilobytesEach: perContract((posts) => JSON.stringify(posts).length / 1_024),
      },
      {
        what: 'bulk',
        figure: rate(bulkMs),
        ceiling: rate(bareMs),
        ratio: rounded(bareMs / bulkMs),
        unit: 'contracts/s',
        contracts: bulk,
        atOnce: Number(width),
        /** Of this process only: independent of other users of the machine. */
        cpuMsEach: Math.round((user + system) / 1_000 / bulk),
      },
    ]
  } finally {
    await lab.stop()
  }
}
