/**
 * What an analysis proves of a token as a trap. An accusation falls on whoever made the token, so it takes more than the
 * record's `is_honeypot`: everything was tried, everything was answered, and nothing honest looks like it.
 */
import type { Examination } from '../examine/examination.ts'
import { shownPool } from '../market/market.ts'
import type { Stakeholders } from '../stakeholders/stakeholders.ts'
import type { ContractRegistry } from '../subject/registry.ts'

/**
 * What an analysis proves of a token. Labels follow it: a trap sets one, a sale takes it back, and neither leaves it.
 */
export type HoneypotProof =
  /** Everybody can buy, nobody but insiders can ever sell, and no call changes that. */
  | { verdict: 'trap'; evidence: TrapEvidence }
  /** A plain account without code bought and sold. */
  | { verdict: 'sells' }
  /** Neither, with the first thing that is missing. */
  | { verdict: 'unproven'; why: string }

/** What a label of a trap says to whoever reads it. */
export type TrapEvidence = {
  pool: string
  /** Sales and transfers to pools that a plain account tried. */
  tried: number
  /** Words of the refusal. */
  reason: string
  /** How insiders gain. */
  gain: string
}

/** All that may speak against a trap: one doubt is enough. */
export type HoneypotInput = {
  examination: Examination
  stakeholders: Pick<Stakeholders, 'creator' | 'providers' | 'events'>
  registry: Pick<ContractRegistry, 'canonical'>
  /** Why some simulation could not be run. */
  limitation: string | undefined
}

/** How the people behind the token gain by the trap; `undefined` when nothing shows that they do. */
const gainOf = ({ examination, stakeholders }: HoneypotInput): string | undefined => {
  if (examination.trade.insiderSells) return 'insiders can sell'
  const insiders = new Set([stakeholders.creator, examination.subject.owner.address, ...examination.insiders])
  insiders.delete('')
  const providers = [
    ...stakeholders.providers.map(({ address }) => address),
    ...stakeholders.events.map((row) => row.from_address),
  ]
  const provider = providers.find((address) => insiders.has(address))
  return provider && `${provider} provided the liquidity`
}

/** What is missing of a proof, most ordinary first. */
const doubtOf = ({ examination, registry, limitation }: HoneypotInput): string | undefined => {
  const { subject, traded, trade, eoaSell, powers } = examination
  if (!traded || !subject.isToken) return 'there is no market'
  if (!trade.canBuy) return 'buying is refused as well'
  if (trade.neverSold === false) return 'some sale or purchase went another way'
  if (trade.neverSold === undefined || limitation) return 'not every sale could be simulated'
  if (registry.canonical.includes(subject.token)) return 'the token is canonical'
  if (trade.holders.tried > trade.holders.blocked.length) return 'existing holders can sell'
  if (trade.holders.unanswered > 0) return 'not every sale of existing holders could be simulated'
  if (powers.skipped > 0 || powers.cut || !powers.complete) return 'not every call could be tried'
  if (powers.powers.some(({ effect }) => effect === 'open_transfers')) return 'a call opens sales for everyone'
  if (eoaSell?.outcome !== 'refused') return 'a plain account was not refused'
  return undefined
}

/** Proves a trap, or a sale. Whatever was not tried or not answered makes it unproven. */
export const proveHoneypot = (input: HoneypotInput): HoneypotProof => {
  const { eoaSell, traded } = input.examination
  // Whoever makes the rules of a pool may let a sale pass for this.
  if (eoaSell?.outcome === 'sold' && !traded?.ruled) return { verdict: 'sells' }
  const why = doubtOf(input)
  if (why !== undefined || !eoaSell || !traded) return { verdict: 'unproven', why: why ?? 'no sale was tried' }
  const gain = gainOf(input)
  if (gain === undefined) return { verdict: 'unproven', why: 'no insider of the token is seen to gain' }
  return { verdict: 'trap', evidence: { pool: shownPool(traded), tried: eoaSell.tries, reason: eoaSell.reason, gain } }
}
