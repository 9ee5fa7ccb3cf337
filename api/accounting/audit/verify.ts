/** Verifies the audit log: entries that were changed, removed or inserted. */
import type { Store } from '../../../platform/store/store.ts'
import { hashOf, NO_HASH } from './entry.ts'
import { type Chain, chainsOf, entriesOf } from './read.ts'

/** Where a chain ended when it was verified: what comes later has to contain it. */
export type Head = { chain: string; seq: number; hash: string }

/** What was found of one chain. What is wrong names the first entry it concerns. */
export type ChainReport = {
  chain: string
  /** Numbers of the first and last entry; 0 when all were removed by retention. */
  first: number
  last: number
  /** Milliseconds since the epoch. */
  from: number
  to: number
  /** Hash of the last entry. */
  hash: string
  /** Answers without an entry, as entries state it. */
  lost: number
  /** Whether the process that wrote it ended it. It runs otherwise, or was killed. */
  ended: boolean
  /** What does not fit, ten at most. */
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
      found(`entry ${seq} is not the one that an earlier verification found: the chain was written anew`)
    }
  }
  compare(after, after_hash)
  let before = report.hash
  // Without an anchor numbers begin at 1; a row before that is looked at, too.
  for await (const { seq, hash, ...entry } of entriesOf(store, chain, after || -1)) {
    if (report.ended) found(`entry ${seq} was inserted: it is behind the end of the chain`)
    if (seq <= report.last) {
      found(`entry ${seq} was inserted: there is another one with this number`)
      // Goes on from the one that follows the entry before.
      if (hashOf(before, chain, seq, entry) === hash) report.hash = hash
      continue
    }
    if (seq > report.last + 1) {
      const gone = seq - report.last - 1
      found(`${gone === 1 ? 'entry' : `${gone} entries from`} ${report.last + 1} removed`)
    }
    const expected = hashOf(report.hash, chain, seq, entry)
    // Behind a gap nothing is known of the entry before, so that only the gap is reported.
    if (expected !== hash && seq === report.last + 1) {
      found(`entry ${seq} was changed, or the one before it was: its hash does not follow`)
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

/** @param heads what an earlier verification found, to be compared with. */
export const verifyAudit = async (store: Store, heads: readonly Head[] = []): Promise<ChainReport[]> => {
  const known = new Map(heads.map((head) => [head.chain, head]))
  const chains = await chainsOf(store)
  const stored = new Set(chains.map(({ chain }) => chain))
  const gone = heads.flatMap(({ chain }) => (stored.has(chain) ? [] : [{ chain, after: 0, after_hash: '' }]))
  const reports: ChainReport[] = []
  for (const chain of [...chains, ...gone]) reports.push(await verifyChain(store, chain, known.get(chain.chain)))
  return reports
}
