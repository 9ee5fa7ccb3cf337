/** Encodes scripts for `Simulator.sol` and decodes their results. Layouts match the contract. */
import { readFileSync } from 'node:fs'
import { toFunctionSelector } from 'viem/utils'
import { z } from 'zod'

/** The zero address: nobody, the native coin in V4 pools, and a router when none is registered. */
export const ZERO = '0x0000000000000000000000000000000000000000'

/** Pool kinds that `Venues.sol` trades in. */
export type VenueKind = 'curve' | 'balancer-v2' | 'balancer-v3' | 'infinity-cl' | 'infinity-bin'
/** How trades are made. `none`: no pool that contracts can trade in; a sale is then a transfer. */
export type MarketKind = 'none' | 'v2' | 'v3' | 'solidly' | 'v4' | VenueKind
const VENUES: Record<VenueKind, number> = {
  curve: 5,
  'balancer-v2': 6,
  'balancer-v3': 7,
  'infinity-cl': 8,
  'infinity-bin': 9,
}
const KINDS: Record<MarketKind, number> = { none: 0, v2: 1, v3: 2, solidly: 3, v4: 4, ...VENUES }

/** Whether `Venues.sol` trades in a pool of this kind. Accepts the registry's kinds, which include others. */
export const isVenue = (kind: string): kind is VenueKind => Object.hasOwn(VENUES, kind)

/** Market and actors of a script, as in `Simulator.sol`. Trade amounts are base units of the base asset. */
export type Setup = {
  token: string
  base: string
  pool: string
  kind: MarketKind
  /** V2: hundredths of a basis point. V4: fee | tickSpacing << 24. Others: see `Venues.sol`. */
  fee: number | bigint
  /** V2-style router to trade through; zero address: trade with the pool itself. */
  router: string
  hooks: string
  small: bigint
  large: bigint
  victim: string
  bystander: string
  receiver: string
  buyer: string
}

/** Steps of a script. For sell and move, amounts up to 10000 are basis points of the actor's balance. */
export type Step =
  | { op: 'call'; actor: string; target: string; data: string; value?: bigint }
  | { op: 'read'; target: string; data: string }
  | { op: 'buy'; actor: string; amount: bigint }
  | { op: 'sell'; actor: string; amount: bigint; recipient?: string }
  | { op: 'move' | 'moveFrom'; actor: string; target: string; amount: bigint }
  | { op: 'fund'; target: string; amount: bigint }
  | { op: 'branch'; steps: Step[] }
  /** `light`: only balances, supply and owner are read; no trades are tried. */
  | { op: 'probe'; actor: string; target: string; data: string; value?: bigint; light?: boolean }

/** Result of one step from `Simulator.sol`. */
export type StepResult = {
  /** `undefined`: not run, because the call ran out of gas. */
  ok: boolean | undefined
  /** buy: amount the pool gave; sell and move: amount sent; read: the answer. */
  a: bigint
  /** Amount that arrived. */
  b: bigint
  gas: bigint
  /** First word returned, the proceeds of a sale, or the reason of a failure. */
  word: bigint
  steps?: StepResult[]
  probe?: Observation
}

/** State as holders experience it. Each trade is tried and undone. Shares are millionths of the sent amount. */
export type Observation = {
  supply: bigint
  victim: bigint
  bystander: bigint
  actor: bigint
  pool: bigint
  self: bigint
  /** Word returned by owner(); `undefined` when there is none. */
  owner: bigint | undefined
  native: bigint
  base: bigint
  victimBase: bigint
  victimMoves: Trial
  bystanderMoves: Trial
  victimSpentFor: Trial
  victimSells: Trial
  bystanderSells: Trial
  victimSellsMost: Trial
  buys: Trial
  buysLarge: boolean
}
/** A trade that a probe tried and undid. `share`: part that arrived, in millionths. */
export type Trial = { ok: boolean; share: number }

const CODES = { call: 0, read: 1, buy: 2, sell: 3, move: 4, moveFrom: 5, branch: 6, probe: 7, fund: 8 } as const
const LIGHT_PROBE = 9
const LIGHT_WORDS = 12
const PROBE_WORDS = 26
const RUN = toFunctionSelector(
  'run((address,address,address,uint256,uint256,address,address,uint256,uint256,address,address,address,address),bytes)',
)

const ARTIFACT = z
  .object({ runtime: z.string(), venues: z.string(), willing: z.string() })
  .parse(JSON.parse(readFileSync(new URL('./artifact.json', import.meta.url), 'utf8')))

/** Runtime code of the simulator for a pool kind. */
export const simulatorCode = (kind: MarketKind): string => (isVenue(kind) ? ARTIFACT.venues : ARTIFACT.runtime)

/** Runtime code of a token that accepts every transfer. */
export const willingCode: string = ARTIFACT.willing

/**
 * Runtime code of an actor: accepts coins and delegates everything else to the director's code (an EIP-1167 clone
 * behind four bytes that let plain coins through). Short, because every simulation carries one per actor.
 */
export const actorCode = (director: string): string =>
  `0x36600557005b363d3d373d3d3d363d73${address(director)}5af43d82803e903d91603157fd5bf3`

const address = (value: string) => value.slice(2).toLowerCase().padStart(40, '0')
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const sized = (data: string) => {
  const bytes = data.replace(/^0x/, '')
  return (bytes.length / 2).toString(16).padStart(8, '0') + bytes
}

const encodeStep = (step: Step): string => {
  const kind = step.op === 'probe' && step.light ? LIGHT_PROBE : CODES[step.op]
  const code = kind.toString(16).padStart(2, '0')
  const actor = 'actor' in step ? step.actor : ZERO
  const target = 'target' in step ? step.target : step.op === 'sell' ? (step.recipient ?? ZERO) : ZERO
  const amount = 'amount' in step ? step.amount : 'value' in step ? (step.value ?? 0n) : 0n
  const data = step.op === 'branch' ? step.steps.map(encodeStep).join('') : 'data' in step ? step.data : ''
  return code + address(actor) + address(target) + word(amount) + sized(data)
}

/** Calldata of `run`. */
export const encodeRun = (setup: Setup, steps: Step[]): string => {
  const script = steps.map(encodeStep).join('')
  const length = script.length / 2
  return [
    RUN,
    ...[setup.token, setup.base, setup.pool].map((value) => address(value).padStart(64, '0')),
    word(BigInt(KINDS[setup.kind])),
    word(BigInt(setup.fee)),
    ...[setup.router, setup.hooks].map((value) => address(value).padStart(64, '0')),
    word(setup.small),
    word(setup.large),
    ...[setup.victim, setup.bystander, setup.receiver, setup.buyer].map((value) => address(value).padStart(64, '0')),
    word(14n * 32n),
    word(BigInt(length)),
    script.padEnd(Math.ceil(length / 32) * 64, '0'),
  ].join('')
}

const trial = (words: bigint[], at: number): Trial => ({ ok: words[at] === 1n, share: Number(words[at + 1] ?? 0n) })

const observation = (w: bigint[]): Observation => ({
  supply: w[2] ?? 0n,
  victim: w[3] ?? 0n,
  bystander: w[4] ?? 0n,
  actor: w[5] ?? 0n,
  pool: w[6] ?? 0n,
  self: w[7] ?? 0n,
  owner: w[8] === (1n << 256n) - 1n ? undefined : w[8],
  native: w[9] ?? 0n,
  base: w[10] ?? 0n,
  victimBase: w[11] ?? 0n,
  victimMoves: trial(w, 12),
  bystanderMoves: trial(w, 14),
  victimSpentFor: trial(w, 16),
  victimSells: trial(w, 18),
  bystanderSells: trial(w, 20),
  victimSellsMost: trial(w, 22),
  buys: { ok: ((w[24] ?? 0n) & 1n) === 1n, share: Number(w[25] ?? 0n) },
  buysLarge: ((w[24] ?? 0n) & 2n) === 2n,
})

const okOf = (value: bigint | undefined): boolean | undefined => (value === 2n ? undefined : value === 1n)

const widthOf = (step: Step): number =>
  step.op === 'branch'
    ? 1 + step.steps.reduce((sum, inner) => sum + widthOf(inner), 0)
    : step.op === 'probe'
      ? step.light
        ? LIGHT_WORDS
        : PROBE_WORDS
      : 5

const decodeSteps = (steps: Step[], words: bigint[]): StepResult[] => {
  let at = 0
  return steps.map((step) => {
    const w = words.slice(at, at + widthOf(step))
    at += w.length
    const ok = okOf(w[0])
    if (step.op === 'branch') {
      const inner = ok ? decodeSteps(step.steps, w.slice(1)) : []
      return { ok, a: 0n, b: 0n, gas: 0n, word: 0n, steps: inner }
    }
    if (step.op === 'probe') {
      const base = { ok, a: 0n, b: 0n, gas: 0n, word: w[1] ?? 0n }
      return ok ? { ...base, probe: observation(w) } : base
    }
    return { ok, a: w[1] ?? 0n, b: w[2] ?? 0n, gas: w[3] ?? 0n, word: w[4] ?? 0n }
  })
}

/** Decodes the results of `run`; `undefined` when the data does not fit the script. */
export const decodeRun = (steps: Step[], data: string | undefined): StepResult[] | undefined => {
  const expected = steps.reduce((sum, step) => sum + widthOf(step), 0)
  if (!data || data.length !== 2 + expected * 64) return undefined
  const words: bigint[] = []
  for (let i = 2; i < data.length; i += 64) words.push(BigInt(`0x${data.slice(i, i + 64)}`))
  return decodeSteps(steps, words)
}

/** Reason of a failure as text, or its selector when it is not text. */
export const reasonText = (reason: bigint): string => {
  const bytes = Buffer.from(reason.toString(16).padStart(64, '0'), 'hex')
  const text = bytes.toString('latin1').replace(/\0+$/, '')
  return text.length > 0 && /^[\x20-\x7e]+$/.test(text)
    ? text
    : reason === 0n
      ? ''
      : `0x${bytes.subarray(0, 4).toString('hex')}`
}
