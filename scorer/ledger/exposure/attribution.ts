/** Attributes addresses to categories by authorities, labels, stored verdicts or the registry. Tracing stops at such addresses. */
import { readSql } from '../../../platform/store/sql.ts'
import { addressAliases } from '../../../schema/address/aliases.ts'
import type { Network } from '../../../schema/networks.ts'
import { DEX_FACTORIES } from '../../../schema/registry/contracts.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import { isPopular, type Numbers } from '../labels/guard.ts'
import { type Known, loadKnown } from '../labels/known.ts'
import { loadLabelled } from '../labels/labelled.ts'
import { ACCUSATIONS, GUARD_CONFIDENCE, isAccusation, SERVICE } from '../labels/vocabulary.ts'
import type { TieredStore } from '../reading/tiers.ts'
import { loadStatedPools } from './markets.ts'

const OFFENCES = readSql(import.meta.url, './sql/offences.sql')
const ANNOUNCED = readSql(import.meta.url, './sql/announced-pools.sql')
const SIGNERS = readSql(import.meta.url, './sql/signers.sql')

/** Minimum confidence of labels that give an address its category; equal to the bound of flags. */
const LEAST = 0.9

/** Frozen by an issuer, without any other finding. A freeze concerns current funds and does not prove that earlier payments were stolen. */
export const FROZEN = 'frozen'

/** Gravest first. An address with several categories counts as the gravest. */
const GRAVITY = [
  'sanctioned',
  'stolen',
  'blackmail',
  'darknet',
  'phishing',
  'scam',
  'cybercrime',
  'laundering',
  FROZEN,
  'mixer',
]

/** Categories whose funds count against receivers that live on them. Funds from a mixer may be anybody's. */
export const FLAGGED: ReadonlySet<string> = new Set(GRAVITY.filter((category) => category !== 'mixer'))

/** The gravest category. */
export const gravestOf = (categories: readonly string[]): string | undefined =>
  [...categories].sort((a, b) => GRAVITY.indexOf(a) - GRAVITY.indexOf(b))[0]

/**
 * Attribution of an address. `name`: from a list or the registry. `swaps`: it is announced as a pool without being a service.
 * Values given to and received from it in one transaction are a swap; otherwise it is followed like any address. `registered`: a
 * factory of the registry announced it. `uncertainty`: why funds that came through it count against nobody (`markets.ts`).
 */
export type Attribution = {
  category?: string
  service: boolean
  name?: string
  swaps?: true
  registered?: true
  uncertainty?: Uncertainty
}
/**
 * `market`: strangers trade in a pool without a registered factory. `listing`: a registered pool of an unpriced token without such
 * trade.
 */
export type Uncertainty = 'market' | 'listing'

/** Source of minted coins and destination of burned ones. On other families the party is empty. */
const ZERO = '0x0000000000000000000000000000000000000000'

type LabelEvidence = { name?: string; kind?: string }
const evidenceOf = (text: string): LabelEvidence => {
  try {
    const { name, kind } = JSON.parse(text) as Record<string, unknown>
    return { ...(typeof name === 'string' && { name }), ...(typeof kind === 'string' && { kind }) }
  } catch {
    return {}
  }
}

const ofLabels = ({ listings, labels }: Known): Attribution | undefined => {
  const inForce = listings.filter((listing) => listing.listed === 1)
  if (inForce.some(({ list }) => list === 'sanctions')) return { category: 'sanctioned', service: false }
  const asserted = labels.find(({ label, class: of }) => label === 'sanctioned' && of === 'asserted')
  if (asserted) return { category: 'sanctioned', service: false, ...nameOf(asserted.evidence) }
  const service = labels.find(({ label, confidence }) => label === SERVICE && confidence >= GUARD_CONFIDENCE)
  if (service) {
    return { category: evidenceOf(service.evidence).kind ?? 'service', service: true, ...nameOf(service.evidence) }
  }
  const accusations = isBenign({ listings, labels })
    ? []
    : labels.flatMap(({ label, class: of, confidence, evidence }) =>
        isAccusation(label) && of !== 'propagated' && confidence >= LEAST
          ? [{ category: ACCUSATIONS[label] as string, evidence }]
          : [],
      )
  const freezes = inForce.length > 0 ? [{ category: FROZEN, evidence: '' }] : []
  const [gravest] = [...accusations, ...freezes].sort(
    (a, b) => GRAVITY.indexOf(a.category) - GRAVITY.indexOf(b.category),
  )
  return gravest && { category: gravest.category, service: false, ...nameOf(gravest.evidence) }
}

const nameOf = (evidence: string): { name?: string } => {
  const { name } = evidenceOf(evidence)
  return name === undefined ? {} : { name }
}

const isBenign = ({ labels }: Known): boolean =>
  labels.some(({ label, confidence }) => label === 'benign' && confidence >= GUARD_CONFIDENCE)

/**
 * Which addresses are pools, and whether a registered factory announced them. Accounts that sign transactions are no pools: anybody can
 * announce any account as a pool to make its funds look like those of an exchange.
 */
const loadPools = async (
  store: TieredStore,
  network: Network,
  addresses: readonly string[],
): Promise<Map<string, { registered: boolean }>> => {
  const [announced, stated] = await Promise.all([
    store.query<{ address: string; registered: 0 | 1 }>(
      ANNOUNCED,
      { network, addresses, factories: [...DEX_FACTORIES[network].keys()] },
      { route: 'exposure_pools' },
    ),
    loadStatedPools(store, network, addresses, []),
  ])
  const pools = new Map(announced.map(({ address, registered }) => [address, { registered: registered === 1 }]))
  for (const pool of stated.keys()) pools.set(pool, { registered: true })
  if (pools.size === 0) return pools
  const signers = await store.query<{ address: string }>(
    SIGNERS,
    { network, addresses: [...pools.keys()] },
    { route: 'exposure_signers' },
  )
  for (const { address } of signers) pools.delete(address)
  return pools
}

/**
 * Attributions by address; absent for addresses without one. Precedence: authorities and lists, registry, our own verdicts, numbers.
 * `numbers`: of addresses that have any.
 */
export const loadAttributions = async (
  store: TieredStore,
  network: Network,
  addresses: readonly string[],
  numbers: ReadonlyMap<string, Numbers>,
): Promise<Map<string, Attribution>> => {
  const aliases = addressAliases(network, addresses)
  const [known, offences, pools] = await Promise.all([
    loadLabelled(store, network, aliases).then((labelled) => loadKnown(store, network, aliases, labelled)),
    store.query<{ address: string; offence: string }>(OFFENCES, { network, addresses }, { route: 'exposure_offences' }),
    loadPools(store, network, addresses),
  ])
  const infrastructure = infrastructureOf(network)
  const ofRecords = new Map(offences.map(({ address, offence }) => [address, { category: offence, service: false }]))
  const attributions = new Map<string, Attribution>()
  for (const address of addresses) {
    const about = known.get(address)
    const place = infrastructure.get(address)
    const own = numbers.get(address)
    const byList = about && ofLabels(about)
    // A list that accuses infrastructure of the registry is wrong; an authority is not.
    const listed = place && byList && byList.category !== 'sanctioned' ? undefined : byList
    const ofRecord = about && isBenign(about) ? undefined : ofRecords.get(address)
    const pool = pools.get(address)
    const attribution =
      // A finding of ours is more precise than a freeze.
      (listed?.category === FROZEN ? ofRecord : undefined) ??
      listed ??
      (place && { category: place.category, service: true, name: place.name }) ??
      (pool?.registered ? { category: 'dex', service: true, registered: true } : undefined) ??
      (address === ZERO ? { category: 'token', service: true, name: 'mint or burn' } : undefined) ??
      (own && isPopular(own) ? { category: 'service', service: true } : undefined) ??
      ofRecord ??
      (pool && !pool.registered ? { service: false, swaps: true } : undefined)
    if (attribution) attributions.set(address, attribution)
  }
  return attributions
}
