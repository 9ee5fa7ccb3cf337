/**
 * Combines answers of authorities at the head with their logs. The answers are stored as labels of the address, so that later verdicts
 * have them too. The log decides wherever it has an event as new as the answer.
 */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { type AuthorityList, authorityLogsOf } from '../../../schema/registry/authorities.ts'
import type { Known, Label, Listing } from '../labels/known.ts'
import { writeLabels } from '../labels/write.ts'
import type { Asked, HeadListing } from './ask.ts'
import { type LogCoverage, loadLogCoverage } from './coverage.ts'

const STORED = readSql(import.meta.url, './sql/head-labels.sql')

type List = HeadListing['list']
const LISTS: readonly List[] = ['sanctions', 'freeze']
const LABEL_OF: Readonly<Record<List, Pick<Label, 'label' | 'detector'>>> = {
  sanctions: { label: 'sanctioned', detector: 'sanctions-oracle' },
  freeze: { label: 'blacklist', detector: 'issuer-freeze' },
}

const evidence = z.object({
  authorities: z.array(z.object({ authority: z.string(), name: z.string(), question: z.string() })),
  block: z.number(),
  blockHash: z.string(),
  /** Unix seconds. */
  time: z.number(),
})

/** The kind of list and the evidence of a label written here; `undefined` for other labels. */
const readHeadLabel = (label: Label): { list: List; found: z.output<typeof evidence> } | undefined => {
  const list = LISTS.find((one) => LABEL_OF[one].label === label.label && LABEL_OF[one].detector === label.detector)
  if (list === undefined || label.class !== 'asserted') return undefined
  try {
    return { list, found: evidence.parse(JSON.parse(label.evidence)) }
  } catch {
    return undefined
  }
}

/** Converts listings at the head to labels, one per kind of list. Their evidence is the question and its block. */
const headLabels = (network: Network, asked: Asked): Label[] => {
  const listings = asked && 'answer' in asked ? asked.answer.listings : []
  return LISTS.flatMap((list): Label[] => {
    const [first, ...others] = listings.filter((listing) => listing.list === list)
    if (!first) return []
    const { block, blockHash, time } = first
    const authorities = [first, ...others].map(({ authority, name, question }) => ({ authority, name, question }))
    const found: z.output<typeof evidence> = { authorities, block, blockHash, time }
    return [
      {
        ...LABEL_OF[list],
        network,
        class: 'asserted',
        confidence: 1,
        detector_version: `${first.question} at block ${block}`,
        evidence: JSON.stringify(found),
        tx_hash: '',
        block_number: block,
      },
    ]
  })
}

/** Whether authorities retract their answer from an earlier head. A node that is behind that head cannot show it. */
const isRetracted = (asked: Asked, { authorities, block }: z.output<typeof evidence>): boolean =>
  asked !== undefined &&
  'answer' in asked &&
  asked.answer.height >= block &&
  authorities.every(({ authority }) => asked.answer.denied.has(authority))

/** Newest block of the tables, and the authorities with incomplete logs. */
type Stored = { height: number; incomplete: ReadonlySet<string> }

/**
 * Whether an authority of the network contradicts a listing from its incomplete log: the missing part may contain the release. A
 * complete log always decides.
 */
const isOutdated = (
  { network, authority, listed }: Listing,
  place: Network,
  asked: Asked,
  { height, incomplete }: Stored,
): boolean =>
  listed === 1 &&
  network === place &&
  incomplete.has(authority) &&
  asked !== undefined &&
  'answer' in asked &&
  asked.answer.height >= height &&
  asked.answer.denied.has(authority)

/** Adds the current answers of authorities, and removes statements that newer logs or answers contradict. */
export const withAnswers = (known: Known, network: Network, asked: Asked, stored: Stored): Known => {
  const listings = known.listings.filter((listing) => !isOutdated(listing, network, asked, stored))
  const current = headLabels(network, asked)
  const labels = [
    ...known.labels.filter((old) => !current.some((one) => one.label === old.label && one.detector === old.detector)),
    ...current,
  ]
  const kept = labels.filter((label) => {
    const head = readHeadLabel(label)
    if (!head) return true
    if (label.network === network && isRetracted(asked, head.found)) return false
    return !head.found.authorities.every(({ authority }) =>
      known.listings.some(
        (listing) =>
          listing.network === label.network &&
          listing.list === head.list &&
          listing.authority === authority &&
          (listing.listed === 1 || listing.changed_at >= head.found.time),
      ),
    )
  })
  const same = kept.length === known.labels.length && current.length === 0 && listings.length === known.listings.length
  return same ? known : { listings, labels: kept }
}

/**
 * Stores the answers of authorities whose logs are incomplete, and revokes earlier ones that they no longer confirm. Answers that complete
 * logs show, or will show with the next blocks, are not stored.
 */
export const storeAnswers = async (
  store: Store,
  { network, address }: { network: Network; address: string },
  asked: Asked,
  now: number,
): Promise<void> => {
  if (asked === undefined || 'failure' in asked) return
  const current = headLabels(network, asked)
  const stored = await store.query<Label>(STORED, { network, address }, { route: 'head_labels' })
  const coverage = current.length > 0 ? await loadLogCoverage(store, network) : undefined
  const kept = current.filter((label) => coverage?.missing(readHeadLabel(label)?.list ?? 'sanctions') !== undefined)
  const revoked = stored.filter((label) => {
    const head = readHeadLabel(label)
    return head !== undefined && isRetracted(asked, head.found)
  })
  const findings = [
    ...kept.map((label) => ({ label, revoked: false })),
    ...revoked.map((label) => ({ label, revoked: true })),
  ]
  await writeLabels(
    store,
    findings.map(({ label, revoked: back }) => ({
      ...label,
      address,
      evidence: JSON.parse(label.evidence) as unknown,
      revoked: back,
      foundAt: now,
    })),
  )
}

/** Log coverage after asking: an authority that denies the listing at the head needs no log; one that could not be asked may list it. */
export const coverageWithAnswers = (network: Network, logs: LogCoverage, asked: Asked, stored: number): LogCoverage => {
  if (asked === undefined) return logs
  const missing = (list: AuthorityList): string | undefined => {
    const known = logs.missing(list)
    if (list === 'mixer') return known
    if ('failure' in asked) return known ?? `the authority could not be asked at the head (${asked.failure})`
    const { clear, height } = asked.answer
    const open = authorityLogsOf(network).filter((log) => log.list === list && logs.incomplete.has(log.authority))
    return height >= stored && open.every(({ authority }) => clear.has(authority)) ? undefined : known
  }
  return { ...logs, missing }
}
