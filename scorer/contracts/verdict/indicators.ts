/** The record's indicators, from findings, code and liquidity. Unknown indicators are 0 and listed in `unknowns`. */
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
/** Gas above which a plain transfer pays for work of others. */
const TRANSFER_GAS_ABUSE = 1_500_000n

const userPaths = (functions: FunctionFacts[]) => functions.filter((facts) => USER_PATHS.has(facts.selector))

const gasAbuse = (examination: Examination, gasTokens: ReadonlySet<string>): boolean =>
  userPaths(examination.subject.functions).some((facts) => facts.creates) ||
  (examination.trade.transferGas ?? 0n) > TRANSFER_GAS_ABUSE ||
  examination.subject.facts.addresses.some((address) => gasTokens.has(address))

/** The record's indicators and what they are based on. */
export type IndicatorResult = {
  indicators: Indicators
  /** Indicators that could not be determined, with the reason. */
  unknowns: Record<string, string>
  evidence: Partial<Record<keyof Indicators, string[]>>
  withdrawMissing: boolean
}

/** USD value of the supply that is not burned; `undefined` when the market has no USD price, 0 without a market. */
const marketCap = (examination: Examination, burned: bigint): number | undefined => {
  const { market, usd, subject } = examination
  if (!market) return 0
  if (!usd || market.price <= 0) return undefined
  const cap = priceOf(market, subject.decimals) * usd * coins(subject.supply - burned, subject.decimals)
  return Number.isFinite(cap) && cap > 0 ? Math.round(cap * 100) / 100 : 0
}

const percent = (value: number | undefined): number => Math.max(0, Math.min(100, Math.round(value ?? 0)))

/** Whether the contract accepts coins and no function sends any out, as in vaults and traps. Never true of tokens. */
const withdrawMissing = (examination: Examination): boolean => {
  const { subject } = examination
  if (subject.isToken) return false
  const takes = subject.functions.some((facts) => !facts.nonPayable && facts.writes)
  const gives = subject.functions.some((facts) => facts.calls || facts.delegates || facts.destroys || facts.creates)
  return takes && !gives
}

/** Input of the indicators. Nothing else is read. */
export type IndicatorInput = {
  examination: Examination
  findings: Findings
  stakeholders: Stakeholders
  /** Tokens at the zero and dead addresses, base units. */
  burned: bigint
  openSource: boolean
  /** Tokens minted for gas, such as CHI and XEN. */
  gasTokens: ReadonlySet<string>
}

/**
 * Builds the 29 indicators of the record. One that could not be determined is 0, is named in `unknowns` and adds
 * nothing to the scores.
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
      ? `${powers.skipped} of ${powers.tried} calls could not be simulated`
      : powers.sequencesCut
        ? 'too many calls depend on earlier calls to try them all'
        : (powers.unproven.movesTokens ??
          powers.unproven.controlsTransfers ??
          (examination.tools.size > 0
            ? 'a contract that nobody controls may do it for any caller'
            : 'calls could not be simulated'))
  const external = userPaths(subject.functions).some(
    (facts) => facts.calls || facts.staticCalls || (facts.delegates && subject.proxy.hops.length === 0),
  )
  if (findings.sellTax === undefined) unknowns.sell_tax = noTrade
  if (findings.buyTax === undefined) unknowns.buy_tax = noTrade
  if (stakeholders.creator === '') unknowns.creator_percent = 'the creator is unknown'
  if (stakeholders.lockedWhy !== undefined && listed) unknowns.lp_holders_locked = stakeholders.lockedWhy
  if (poolsMissing !== undefined) {
    if (!listed) {
      unknowns.is_in_dex = poolsMissing
      unknowns.lp_holders_locked = poolsMissing
    }
    unknowns.liquidity = poolsMissing
    unknowns.market_cap = poolsMissing
  }
  const cap = marketCap(examination, burned)
  if (cap === undefined) unknowns.market_cap ??= 'no pool gives a USD price for the base asset'
  const { honeypotsBefore } = stakeholders
  if (honeypotsBefore === undefined)
    unknowns.honeypot_with_same_creator =
      stakeholders.creator === '' ? 'the creator is unknown' : 'other tokens of the creator are unknown'
  /** An indicator from code alone is unknown when it was not found and part of the code was not read. */
  const codeFlag = (name: keyof Indicators, found: boolean): number => {
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
    lp_holders_locked: listed && (stakeholders.lockedShare ?? 0) >= LOCKED_SHARE,
    liquidity: market ? coins(market.baseReserve, market.base.decimals) : 0,
    market_cap: cap ?? 0,
    is_in_dex: listed ? 1 : 0,
    slippage_modifiable: flag('slippage_modifiable', findings.tax, noProbe),
    transfer_pausable: flag('transfer_pausable', findings.pause, noProbe),
    is_anti_whale: flag('is_anti_whale', findings.antiWhale, noTrade),
    anti_whale_modifiable: flag('anti_whale_modifiable', findings.limitModifiable, noProbe),
    trading_cooldown: flag('trading_cooldown', findings.cooldown, noTrade),
    personal_slippage_modifiable: flag('personal_slippage_modifiable', findings.personalTax, noProbe),
    is_open_source: openSource ? 1 : 0,
    is_proxy: codeFlag('is_proxy', subject.proxy.mutable),
    owner_address: subject.owner.address,
    owner_change_balance: flag('owner_change_balance', findings.changeBalance, noProbe),
    selfdestruct: codeFlag(
      'selfdestruct',
      subject.functions.some((facts) => facts.destroys),
    ),
    external_call: codeFlag('external_call', external),
    gas_abuse: codeFlag('gas_abuse', gasAbuse(examination, gasTokens)),
  }
  if (indicators.gas_abuse === 0 && subject.isToken && examination.trade.transferGas === undefined)
    unknowns.gas_abuse ??= 'no transfer could be simulated'
  if (indicators.is_honeypot && findings.sellTax === 100) indicators.sell_tax = 100
  if (subject.owner.address !== '' && !isBlackhole(subject.owner.address))
    evidence.owner_address = [subject.owner.type ?? '']
  return { indicators, unknowns, evidence, withdrawMissing: withdrawMissing(examination) }
}
