/** Cost of a late start of the index: flags that only the whole history shows, and the answers for them. */
import { CONTRACT_COUNT, FLAGS } from '../../../scorer/scoring/flags.ts'
import type { FlagName } from './roster.ts'
import { describe, type Finding } from './tally.ts'

/** Answer for a lost flag. `unseen`: the address is not known at all, so there is no answer about it. */
type Lost = 'unknown' | 'unseen' | 'clear'

const SHOWN = 25

/** Whether a flag is open for its own reason; limits that apply to every address do not count. */
const isOpen = ({ unknowns }: Finding, flag: FlagName): boolean => {
  const always = flag === CONTRACT_COUNT.field ? undefined : FLAGS[flag].partial
  return unknowns.some((text) => text.startsWith(`${flag}: `) && text !== `${flag}: ${always}`)
}

/** Answer of a finding for a flag that it does not raise. */
const answered = (finding: Finding, flag: FlagName): Lost =>
  finding.seen ? (isOpen(finding, flag) ? 'unknown' : 'clear') : 'unseen'

/**
 * Compares findings of an index that starts on a day with those of the whole history of the same population. A flag counts if it is
 * true, or may be argued for.
 */
export const tallyTruncation = (whole: readonly Finding[], late: readonly Finding[]) => {
  const now = new Map(late.map((finding) => [finding.member.address, finding]))
  const lost = whole.flatMap((before) => {
    const after = now.get(before.member.address)
    if (!after) return []
    return before.flags
      .filter((flag) => !after.flags.includes(flag))
      .map((flag) => ({ ...describe(before.member), flag, answer: answered(after, flag) }))
  })
  const verdicts = whole.flatMap((before) => {
    const after = now.get(before.member.address)
    return before.status === 'Fraud' && after && after.status !== 'Fraud' ? [after] : []
  })
  const count = (answer: Lost) => lost.filter((one) => one.answer === answer).length
  const honest = late.filter(({ member }) => member.expected.size === 0 && member.tolerated.size === 0)
  const accused = honest.filter(({ status, flags }) => status === 'Fraud' || flags.length > 0)
  const wrong = late.flatMap(({ member, flags }) =>
    flags
      .filter((flag) => !member.expected.has(flag) && !member.tolerated.has(flag))
      .map((flag) => ({ ...describe(member), flag })),
  )
  return {
    /** Honest wallets and contracts called Fraud or flagged. */
    accused: accused.map(({ member, flags, probability }) => ({
      ...describe(member),
      flags: flags.join(' '),
      probability,
    })),
    /** Raised flags that are not true, of any address. */
    wrong,
    /** Flags that only the whole history shows, by their answers here. */
    lostFlags: { all: lost.length, unknown: count('unknown'), unseen: count('unseen'), clear: count('clear') },
    lostVerdicts: { all: verdicts.length, seen: verdicts.filter(({ seen }) => seen).length },
    /** Lost flags that are answered as if nothing was missing. */
    clear: lost.filter(({ answer }) => answer === 'clear').slice(0, SHOWN),
    /** Known wallets and contracts for which the late start leaves nothing open. */
    answeredWhole: late.filter(({ seen, unknowns }) => seen && !unknowns.some((text) => text.startsWith('probability')))
      .length,
  }
}
