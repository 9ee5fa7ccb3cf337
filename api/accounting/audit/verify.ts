/** Verifies the audit log: finds entries that were changed, removed or inserted. */
import type { Store } from '../../../platform/store/store.ts'
import { hashOf, NO_HASH } from './entry.ts'
import { type Chain, chainsOf, entriesOf } from './read.ts'

/** The last entry of a chain at an earlier verification. Later verifications must find it. */
export type Head = { chain: string; seq: number; hash: string }

/** The result for one chain. */
export type ChainReport = {
  chain: string
  /** Numbers of the first and last entry. `first` is 0 if retention removed all. */
  first: number
  last: number
  /** Milliseconds since the epoch. */
  from: number
  to: number
  /** Hash of the last entry. */
  hash: string
  /** Answers without an entry, as counted by the entries. */
  lost: number
  /** Whether the chain has an end entry. Without one the process still runs, or was killed. */
  ended: boolean
  /** Findings, ten at most. Each names the first entry it concerns. */
  problems: string[]
}

const MAX_PROBLEMS = 10

const verifyChain = async (
  store: Store,
  { chain, after, after_hash }: Chain,
  head: Head | undefined,
): Promise<ChainReport> => {
  const problems: string[] = []
  const report: ChainReport = {
    chain,
    first: 0,
    last: after,
    from: 0,
    to: 0,
    hash: after_hash || NO_HASH,
    lost: 0,
    ended: false,
    problems,
  }
  const found = (problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  const compare = (seq: number, hash: string) => {
    if (head?.seq === seq && head.hash !== hash) {
      found(`entry ${seq} differs from the one in an earlier verification: the chain was rewritten`)
    }
  }
  compare(after, after_hash)
  let before = report.hash
  // Without an anchor numbers begin at 1. Reads from 0, so that an inserted row 0 is found too.
  for await (const { seq, hash, ...entry } of entriesOf(store, chain, after || -1)) {
    if (report.ended) found(`entry ${seq} was inserted: it follows the end of the chain`)
    if (seq <= report.last) {
      found(`entry ${seq} was inserted: another entry has this number`)
      // Continues with the entry whose hash follows the previous one.
      if (hashOf(before, chain, seq, entry) === hash) report.hash = hash
      continue
    }
    if (seq > report.last + 1) {
      const gone = seq - report.last - 1
      found(`${gone === 1 ? 'entry' : `${gone} entries from`} ${report.last + 1} removed`)
    }
    const expected = hashOf(report.hash, chain, seq, entry)
    // After a gap the previous entry is unknown, so only the gap is reported.
    if (expected !== hash && seq === report.last + 1) {
      found(`entry ${seq} or the one before it was changed: its hash does not match`)
    }
    compare(seq, hash)
    report.first ||= seq
    report.from ||= entry.at
    report.to = entry.at
    report.lost += entry.lost
    report.ended = entry.kind === 'end'
    report.last = seq
    before = report.hash
    report.hash = hash
  }
  if (head && head.seq > report.last) {
    found(`entries from ${report.last + 1} to ${head.seq} removed: an earlier verification found them`)
  }
  return report
}

/** @param heads results of an earlier verification, to compare with */
export const verifyAudit = async (store: Store, heads: readonly Head[] = []): Promise<ChainReport[]> => {
  const known = new Map(heads.map((head) => [head.chain, head]))
  const chains = await chainsOf(store)
  const stored = new Set(chains.map(({ chain }) => chain))
  const gone = heads.flatMap(({ chain }) => (stored.has(chain) ? [] : [{ chain, after: 0, after_hash: '' }]))
  const reports: ChainReport[] = []
  for (const chain of [...chains, ...gone]) reports.push(await verifyChain(store, chain, known.get(chain.chain)))
  return reports
}
