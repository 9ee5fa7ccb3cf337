/** Applies the flag table to a wallet. */
import { type ForensicDetails, forensicDetails } from '../../schema/records/common.ts'
import { type Answer, answerOf, coversNetwork, type DetectorId, detectorOf } from '../detection/index.ts'
import type { Label } from '../ledger/labels/known.ts'
import { CONTRACT_COUNT, FLAGS, type Flag, type FlagName, type FlagPolicy, type Source } from './flags.ts'
import { combinationTitle, contractTitle, labelTitle } from './titles.ts'
import type { Wallet } from './wallet.ts'

/** A finding or label with the confidence that the flag table compares. */
export type Raised = { detector: string; confidence: number; title: string; evidence: Record<string, unknown> }

/** Result of one flag. `by` is sorted by descending confidence. */
type Outcome = { kind: 'raised'; by: [Raised, ...Raised[]] } | { kind: 'clear' } | { kind: 'unknown'; why: string }

/** A finding or label; `counts` if it may raise a flag of this wallet. */
type Claim = { raised: Raised; counts: boolean }

type RaisedField = { field: FlagName | typeof CONTRACT_COUNT.field; by: Raised[] }

/** Result of all flags for one wallet. */
export type Forensics = {
  details: ForensicDetails
  /** Raised fields with their findings. */
  raised: RaisedField[]
  /** `flag: why`, for flags that could not be fully evaluated and are served as 0. */
  unknowns: string[]
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const fromLabel = (label: Label): Raised => ({
  detector: label.detector,
  confidence: label.confidence,
  title: labelTitle(label),
  evidence: {
    label: label.label,
    class: label.class,
    network: label.network,
    ...(label.tx_hash === '' ? {} : { transaction: label.tx_hash }),
    ...(label.evidence === '' ? {} : { found: json(label.evidence) }),
  },
})

/** Public infrastructure: only labels of authorities count, and those of lists if it is infrastructure by numbers alone. */
const labelCounts = ({ service, popular }: Wallet, label: Label): boolean =>
  !service || label.class === 'asserted' || (popular === true && label.class === 'reported')

/** Findings of a detector that concern the flag. Services do not answer for what others do through them. */
const fromAnswer = (wallet: Wallet, { detector: id, grades }: Source, answer: Answer): Claim[] => {
  const detector = detectorOf(id)
  if (answer.kind === 'clear' || answer.kind === 'unknown') return []
  if (wallet.service && detector.infrastructure === 'exempt') return []
  const counts = !wallet.service || detector.infrastructure === 'judged'
  return answer.findings
    .filter(({ grade }) => grades === undefined || grades.includes(grade))
    .map(({ grade, title, evidence }) => ({
      raised: { detector: id, confidence: detector.confidence[grade] ?? 0, title, evidence },
      counts,
    }))
}

const fromMadeContracts = (wallet: Wallet, labels: readonly string[]): Claim[] =>
  (wallet.evidence.labelledContracts ?? [])
    .filter(({ label }) => labels.includes(label))
    .map(({ contract, label, detector, confidence, tx_hash }) => ({
      raised: {
        detector,
        confidence,
        title: contractTitle(contract, label, detector),
        evidence: { contract, label, ...(tx_hash === '' ? {} : { transaction: tx_hash }) },
      },
      counts: !wallet.service,
    }))

/** Caches the answers of detectors, because several flags use the same detector. */
type Answers = (id: DetectorId) => Answer

const answersAbout = (wallet: Wallet): Answers => {
  const known = new Map<DetectorId, Answer>()
  return (id) => {
    const answer = known.get(id) ?? answerOf(detectorOf(id), wallet, wallet.evidence)
    known.set(id, answer)
    return answer
  }
}

/** One claim per detector if at least `least` of the flags were raised by findings. */
const fromCombination = (
  wallet: Wallet,
  policy: FlagPolicy,
  answersOf: Answers,
  { of, least }: NonNullable<Flag['combination']>,
): Claim[] => {
  const found = of.flatMap((flag) => {
    const outcome = evaluateFlag(FLAGS[flag], wallet, policy, answersOf)
    const by = outcome.kind === 'raised' ? outcome.by.filter(({ evidence }) => evidence.class !== 'asserted') : []
    const [strongest] = by
    return strongest ? [{ flag, detector: strongest.detector, confidence: strongest.confidence }] : []
  })
  if (found.length < least) return []
  const confidence = Math.min(...found.map(({ confidence }) => confidence))
  const title = combinationTitle(found.map(({ flag }) => flag))
  return [...new Set(found.map(({ detector }) => detector))].map((detector) => ({
    raised: { detector, confidence, title, evidence: { attacks: found } },
    counts: !wallet.service,
  }))
}

/** The first answer that lacks coverage: it leaves the flag unknown whatever other detectors answer. */
const uncoveredAmong = (answers: readonly Answer[]) =>
  answers.flatMap((answer) => (answer.kind === 'unknown' && answer.uncovered ? [answer] : []))[0]

const evaluateFlag = (flag: Flag, wallet: Wallet, policy: FlagPolicy, answersOf: Answers): Outcome => {
  const answers = flag.sources
    .filter(({ only }) => only === undefined || only.mixer === policy.mixer)
    .map((source) => ({ source, answer: answersOf(source.detector) }))
  const claims = [
    ...wallet.known.labels
      .filter((label) => flag.labels.includes(label.label))
      .map((label) => ({ raised: fromLabel(label), counts: labelCounts(wallet, label) })),
    ...answers.flatMap(({ source, answer }) => fromAnswer(wallet, source, answer)),
    ...fromMadeContracts(wallet, flag.madeContracts),
    ...(flag.combination ? fromCombination(wallet, policy, answersOf, flag.combination) : []),
  ].filter(({ raised }) => raised.confidence >= flag.from)
  const found = claims
    .filter(({ counts }) => counts)
    .map(({ raised }) => raised)
    .sort((a, b) => b.confidence - a.confidence || (a.detector < b.detector ? -1 : 1))
  const [first, ...rest] = found
  if (first) return { kind: 'raised', by: [first, ...rest] }
  if (claims.length > 0) {
    const detectors = [...new Set(claims.map(({ raised }) => raised.detector))].sort().join(', ')
    return { kind: 'unknown', why: `${detectors} found it, but only authorities can flag public infrastructure` }
  }
  const uncovered = uncoveredAmong(answers.map(({ answer }) => answer))
  if (uncovered) return uncovered
  const [silent, ...others] = answers.map(({ answer }) => answer)
  if (silent?.kind === 'unknown' && others.every(({ kind }) => kind === 'unknown')) return silent
  if (flag.partial !== undefined) return { kind: 'unknown', why: flag.partial }
  const unsupported = answers.flatMap(({ source: { detector } }) =>
    coversNetwork(detectorOf(detector), wallet.network) ? [] : [detector],
  )
  if (unsupported.length === 0) return { kind: 'clear' }
  return {
    kind: 'unknown',
    why: `${unsupported.join(', ')}: no data source on ${wallet.network}; the rest is evaluated`,
  }
}

/** Distinct malicious contracts of the wallet. Public infrastructure (launchpads, factories) does not answer for what others create. */
const countContracts = (wallet: Wallet): Raised[] => {
  if (wallet.service) return []
  const found = new Map<string, Raised>()
  const add = (contract: string, raised: Raised) => {
    if (!found.has(contract) && contract !== wallet.address) found.set(contract, raised)
  }
  for (const { contract, detector, confidence, label } of wallet.evidence.labelledContracts ?? [])
    add(contract, {
      detector,
      confidence,
      title: contractTitle(contract, label, detector),
      evidence: { contract, label },
    })
  for (const id of CONTRACT_COUNT.sources) {
    const detector = detectorOf(id)
    const evidence = wallet.evidence[id]
    const confidence = Math.min(...Object.values(detector.confidence).filter((one) => one >= CONTRACT_COUNT.from))
    for (const { contract, label } of evidence === undefined ? [] : (detector.contracts?.(evidence) ?? []))
      add(contract, {
        detector: id,
        confidence,
        title: contractTitle(contract, label, id),
        evidence: { contract, label },
      })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, raised]) => raised)
}

const isFlag = (field: string): field is FlagName => Object.hasOwn(FLAGS, field)

/** Evaluates every flag. Unknown flags are listed in `unknowns` and served as 0. */
export const evaluateFlags = (wallet: Wallet, policy: FlagPolicy): Forensics => {
  const raised: RaisedField[] = []
  const unknowns: string[] = []
  const created = countContracts(wallet)
  const answersOf = answersAbout(wallet)
  const shown = (name: FlagName): '0' | '1' => {
    const outcome = evaluateFlag(FLAGS[name], wallet, policy, answersOf)
    if (outcome.kind === 'raised') raised.push({ field: name, by: outcome.by })
    if (outcome.kind === 'unknown') unknowns.push(`${name}: ${outcome.why}`)
    return outcome.kind === 'raised' ? '1' : '0'
  }
  const fields = Object.keys(forensicDetails.shape).map((field): [string, string] => [
    field,
    isFlag(field) ? shown(field) : field === CONTRACT_COUNT.field ? String(created.length) : '',
  ])
  if (created.length > 0) raised.push({ field: CONTRACT_COUNT.field, by: created })
  else {
    const answers = CONTRACT_COUNT.sources.map(answersOf)
    const uncovered = uncoveredAmong(answers)
    if (uncovered) unknowns.push(`${CONTRACT_COUNT.field}: ${uncovered.why}`)
  }
  const detectors = new Set(raised.flatMap(({ by }) => by.map(({ detector }) => detector)))
  const details = forensicDetails.parse({ ...Object.fromEntries(fields), data_source: [...detectors].sort().join(',') })
  return { details, raised, unknowns }
}
