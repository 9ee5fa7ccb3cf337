/** The record's flags, built from findings, code and liquidity. Unknown becomes 0 here and is listed beside. */
import type { FunctionFacts } from '../code/abstract/facts.ts'
import type { Examination } from '../examine/examination.ts'
import { coins, priceOf } from '../market/market.ts'
import { LOCKED_SHARE } from '../stakeholders/locks.ts'
import type { Stakeholders } from '../stakeholders/stakeholders.ts'
import { isBlackhole } from '../subject/blackhole.ts'
import { whyNotTraded } from './facts.ts'
import type { Finding } from './findings/finding.ts'
import type { Findings } from './findings/findings.ts'
import type { Indicators } from './verdict.ts'

const USER_PATHS = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3'])
/** Gas of a plain transfer beyond which someone else's work is being paid for. */
const TRANSFER_GAS_ABUSE = 1_500_000n

const userPaths = (functions: FunctionFacts[]) => functions.filter((facts) => USER_PATHS.has(facts.selector))

const gasAbuse = (examination: Examination, gasTokens: ReadonlySet<string>): boolean =>
  userPaths(examination.subject.functions).some((facts) => facts.creates) ||
  (examination.trade.transferGas ?? 0n) > TRANSFER_GAS_ABUSE ||
  examination.subject.facts.addresses.some((address) => gasTokens.has(address))

/** The flags as the record has them, with what they rest on. */
export type IndicatorResult = {
  indicators: Indicators
  /** Names of flags that could not be determined, with the reason. */
  unknowns: Record<string, string>
  evidence: Partial<Record<keyof Indicators, string[]>>
  withdrawMissing: boolean
}

/** Price of the whole supply that is not burned, in USD; `undefined` while a market has no price in dollars, 0 without a market. */
const marketCap = (examination: Examination, burned: bigint): number | undefined => {
  const { market, usd, subject } = examination
  if (!market) return 0
  if (!usd || market.price <= 0) return undefined
  const cap = priceOf(market, subject.decimals) * usd * coins(subject.supply - burned, subject.decimals)
  return Number.isFinite(cap) && cap > 0 ? Math.round(cap * 100) / 100 : 0
}

const percent = (value: number | undefined): number => Math.max(0, Math.min(100, Math.round(value ?? 0)))

/** ETH goes in and no path sends any out: vaults and traps, never plain tokens. */
const withdrawMissing = (examination: Examination): boolean => {
  const { subject } = examination
  if (subject.isToken) return false
  const takes = subject.functions.some((facts) => !facts.nonPayable && facts.writes)
  const gives = subject.functions.some((facts) => facts.calls || facts.delegates || facts.destroys || facts.creates)
  return takes && !gives
}

/** All that the flags rest on. Nothing is read any more. */
export type IndicatorInput = {
  examination: Examination
  findings: Findings
  stakeholders: Stakeholders
  /** Tokens at the zero and dead addresses, base units. */
  burned: bigint
  openSource: boolean
  /** Tokens anybody's gas turns into. */
  gasTokens: ReadonlySet<string>
}

/**
 * Makes the 29 flags of the record. One that could not be determined is 0 and named in `unknowns`, and adds nothing to
 * scores.
 */
export const indicatorsOf = (input: IndicatorInput): IndicatorResult => {
  const { examination, findings, stakeholders, burned, openSource, gasTokens } = input
  const { subject, market, listed, poolsMissing } = examination
  const unknowns: Record<string, string> = {}
  const evidence: Partial<Record<keyof Indicators, string[]>> = {}
  const flag = (name: keyof Indicators, finding: Finding, reason: string): number => {
    if (finding.holds === undefined) unknowns[name] = finding.why ?? reason
    if (finding.holds) evidence[name] = finding.evidence
    return finding.holds ? 1 : 0
  }
  const noTrade = whyNotTraded(examination)
  const { powers } = examination
  const noProbe = !powers.complete
    ? 'not all of the code could be read'
    : powers.skipped > 0
      ? `${powers.skipped} of ${powers.tried} calls could not be tried in a simulation`
      : powers.sequencesCut
        ? 'more calls depend on others than may be tried'
        : (powers.unproven.movesTokens ??
          powers.unproven.controlsTransfers ??
          (examination.tools.size > 0
            ? 'a contract that nobody rules may do it for whoever calls it'
            : 'calls could not be tried in a simulation'))
  const reachable = subject.functions
  const external = userPaths(reachable).some(
    (facts) => facts.calls || facts.staticCalls || (facts.delegates && subject.proxy.hops.length === 0),
  )
  const isListed = listed
  if (findings.sellTax === undefined) unknowns.sell_tax = noTrade
  if (findings.buyTax === undefined) unknowns.buy_tax = noTrade
  if (stakeholders.creator === '') unknowns.creator_percent = 'creator unknown'
  if (stakeholders.lockedWhy !== undefined && isListed) unknowns.lp_holders_locked = stakeholders.lockedWhy
  if (poolsMissing !== undefined) {
    if (!isListed) {
      unknowns.is_in_dex = poolsMissing
      unknowns.lp_holders_locked = poolsMissing
    }
    unknowns.liquidity = poolsMissing
    unknowns.market_cap = poolsMissing
  }
  const cap = marketCap(examination, burned)
  if (cap === undefined) unknowns.market_cap ??= 'no pool prices the base asset in dollars'
  const { honeypotsBefore } = stakeholders
  if (honeypotsBefore === undefined)
    unknowns.honeypot_with_same_creator =
      stakeholders.creator === '' ? 'creator unknown' : 'other tokens of the creator are not known'
  /** What is told from code alone is unknown where it was not found and not everything was read. */
  const told = (name: keyof Indicators, found: boolean): number => {
    if (!found && !subject.facts.complete) unknowns[name] = 'not all of the code could be read'
    return found ? 1 : 0
  }
  const indicators: Indicators = {
    is_honeypot: flag('is_honeypot', findings.honeypot, noTrade),
    honeypot_with_same_creator: (honeypotsBefore ?? 0) > 0 ? 1 : 0,
    can_take_back_ownership: flag('can_take_back_ownership', findings.takeBack, noProbe),
    is_mintable: flag('is_mintable', findings.mint, noProbe),
    hidden_owner: flag('hidden_owner', findings.hiddenOwner, noProbe),
    buy_tax: percent(findings.buyTax),
    sell_tax: percent(findings.sellTax),
    cannot_buy: flag('cannot_buy', findings.cannotBuy, noTrade),
    cannot_sell_all: flag('cannot_sell_all', findings.cannotSellAll, noTrade),
    is_blacklisted: flag('is_blacklisted', findings.blacklist, noProbe),
    is_whitelisted: flag('is_whitelisted', findings.whitelist, noProbe),
    creator_percent: percent(stakeholders.creatorPercent),
    lp_holders_locked: isListed && (stakeholders.lockedShare ?? 0) >= LOCKED_SHARE,
    liquidity: market ? coins(market.baseReserve, market.base.decimals) : 0,
    market_cap: cap ?? 0,
    is_in_dex: isListed ? 1 : 0,
    slippage_modifiable: flag('slippage_modifiable', findings.tax, noProbe),
    transfer_pausable: flag('transfer_pausable', findings.pause, noProbe),
    is_anti_whale: flag('is_anti_whale', findings.antiWhale, noTrade),
    anti_whale_modifiable: flag('anti_whale_modifiable', findings.limitModifiable, noProbe),
    trading_cooldown: flag('trading_cooldown', findings.cooldown, noTrade),
    personal_slippage_modifiable: flag('personal_slippage_modifiable', findings.personalTax, noProbe),
    is_open_source: openSource ? 1 : 0,
    is_proxy: told('is_proxy', subject.proxy.mutable),
    owner_address: subject.owner.address,
    owner_change_balance: flag('owner_change_balance', findings.changeBalance, noProbe),
    selfdestruct: told(
      'selfdestruct',
      reachable.some((facts) => facts.destroys),
    ),
    external_call: told('external_call', external),
    gas_abuse: told('gas_abuse', gasAbuse(examination, gasTokens)),
  }
  if (indicators.gas_abuse === 0 && subject.isToken && examination.trade.transferGas === undefined)
    unknowns.gas_abuse ??= 'no transfer could be simulated'
  if (indicators.is_honeypot && findings.sellTax === 100) indicators.sell_tax = 100
  if (subject.owner.address !== '' && !isBlackhole(subject.owner.address))
    evidence.owner_address = [subject.owner.type ?? '']
  return { indicators, unknowns, evidence, withdrawMissing: withdrawMissing(examination) }
}
