/**
 * Proof that a token is a honeypot. The label also counts against the token's creator, so the proof needs more than the
 * record's `is_honeypot`: every trial was run and answered, and no honest token behaves like this.
 */
import type { Examination } from '../examine/examination.ts'
import { poolAddressOf } from '../market/market.ts'
import type { Stakeholders } from '../stakeholders/stakeholders.ts'
import type { ContractRegistry } from '../subject/registry.ts'

/** What an analysis proves. A `trap` sets the label, `sells` revokes it, `unproven` leaves it. */
export type HoneypotProof =
  /** Everyone can buy, nobody but insiders can ever sell, and no call changes that. */
  | { verdict: 'trap'; evidence: TrapEvidence }
  /** An account without code bought and sold. */
  | { verdict: 'sells' }
  /** Neither, with the first missing condition. */
  | { verdict: 'unproven'; why: string }

/** Evidence stored with a honeypot label. */
export type TrapEvidence = {
  pool: string
  /** Sales and transfers to pools that an account without code tried. */
  tried: number
  /** Text of the refusal. */
  reason: string
  /** How insiders gain. */
  gain: string
}

/** Facts that may contradict a trap. One doubt is enough. */
export type HoneypotInput = {
  examination: Examination
  stakeholders: Pick<Stakeholders, 'creator' | 'providers' | 'events'>
  registry: Pick<ContractRegistry, 'canonical'>
  /** Why a simulation could not be run. */
  limitation: string | undefined
}

/** How insiders profit from the trap; `undefined` when nothing shows that they do. */
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

/** The first missing condition of a proof, most common first. */
const doubtOf = ({ examination, registry, limitation }: HoneypotInput): string | undefined => {
  const { subject, traded, trade, eoaSell, powers } = examination
  if (!traded || !subject.isToken) return 'there is no market'
  if (!trade.canBuy) return 'buying is refused as well'
  if (trade.neverSold === false) return 'a purchase was refused or a sale accepted'
  if (trade.neverSold === undefined || limitation) return 'not every sale could be simulated'
  if (registry.canonical.includes(subject.token)) return 'the token is canonical'
  if (trade.holders.tried > trade.holders.blocked.length) return 'existing holders can sell'
  if (trade.holders.unanswered > 0) return 'not every sale of existing holders could be simulated'
  if (powers.skipped > 0 || powers.cut || !powers.complete) return 'not every call could be tried'
  if (powers.powers.some(({ effect }) => effect === 'open_transfers')) return 'a call opens sales for everyone'
  if (eoaSell?.outcome !== 'refused') return 'an account without code was not refused'
  return undefined
}

/** Proves a trap or a sale. The result is `unproven` when anything was not tried or not answered. */
export const proveHoneypot = (input: HoneypotInput): HoneypotProof => {
  const { eoaSell, traded } = input.examination
  // The creator of a pool with custom rules may let this sale pass on purpose.
  if (eoaSell?.outcome === 'sold' && !traded?.customRules) return { verdict: 'sells' }
  const why = doubtOf(input)
  if (why !== undefined || !eoaSell || !traded) return { verdict: 'unproven', why: why ?? 'no sale was tried' }
  const gain = gainOf(input)
  if (gain === undefined) return { verdict: 'unproven', why: 'no insider is shown to profit' }
  return {
    verdict: 'trap',
    evidence: { pool: poolAddressOf(traded), tried: eoaSell.tries, reason: eoaSell.reason, gain },
  }
}
