/** Compares findings with the truth. */
import type { FlagName, Member } from './roster.ts'

/** The finding about one address. */
export type Finding = {
  member: Member
  /** Whether the address is known at all; otherwise the answer is a 404. */
  seen: boolean
  flags: readonly FlagName[]
  /** Of its reasons, in their order. */
  codes: readonly string[]
  probability: number
  status: string
  /** What could not be evaluated, `what: why`. */
  unknowns: readonly string[]
}

type Wrong = { address: string; role: string; harms?: string }

export type FlagTally = {
  /** Number of wallets for which the flag is true. */
  positives: number
  truePositives: number
  falsePositives: number
  /** Raised on a bad wallet for which it may be argued; neither right nor wrong. */
  arguable: number
  /** `null` if nothing was raised, or there was nothing to find. */
  precision: number | null
  recall: number | null
  wrong: Wrong[]
  /** Misses by role, with the number of harmful acts of each: a robber of one person is hard to distinguish from a friend. */
  missed: Record<string, { count: number; medianOffences: number }>
}

const SHOWN = 25
const PLACES = 1e4
const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * PLACES) / PLACES

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const describe = ({ address, role, harms }: Member): Wrong => ({
  address,
  role,
  ...(harms.size > 0 ? { harms: [...harms].sort().join(', ') } : {}),
})

/** Counts of one flag over all findings. */
export const tallyFlag = (flag: FlagName, findings: readonly Finding[]): FlagTally => {
  const missed = new Map<string, number[]>()
  const wrong: Wrong[] = []
  let [positives, truePositives, falsePositives, arguable] = [0, 0, 0, 0]
  for (const { member, flags } of findings) {
    const raised = flags.includes(flag)
    if (member.expected.has(flag)) {
      positives++
      if (raised) truePositives++
      else missed.set(member.role, [...(missed.get(member.role) ?? []), member.offences])
    } else if (raised && member.tolerated.has(flag)) arguable++
    else if (raised) {
      falsePositives++
      if (wrong.length < SHOWN) wrong.push(describe(member))
    }
  }
  return {
    positives,
    truePositives,
    falsePositives,
    arguable,
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, positives),
    wrong,
    missed: Object.fromEntries(
      [...missed].map(([role, offences]) => [role, { count: offences.length, medianOffences: median(offences) }]),
    ),
  }
}

/** The verdict as a whole: bad wallets called Fraud, and honest ones not. */
export const tallyVerdict = (findings: readonly Finding[]) => {
  const bad = findings.filter(({ member }) => member.expected.size > 0)
  const honest = findings.filter(({ member }) => member.expected.size === 0 && member.tolerated.size === 0)
  const fraud = (some: readonly Finding[]) => some.filter(({ status }) => status === 'Fraud')
  const caught = fraud(bad).length
  const accused = fraud(honest)
  return {
    bad: bad.length,
    honest: honest.length,
    caught,
    caughtByFlag: bad.filter(({ flags }) => flags.length > 0).length,
    accused: accused.length,
    accusedByFlag: accused.filter(({ flags }) => flags.length > 0).length,
    precision: ratio(caught, caught + accused.length),
    recall: ratio(caught, bad.length),
  }
}
