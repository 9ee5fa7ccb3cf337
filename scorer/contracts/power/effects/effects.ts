/** Derives what a call changed for holders from observations before and after it. */
import type { Observation, Trial } from '../../chain/simulator/script.ts'

/** What a call does to holders. A call may have several effects; `verdict/findings` maps them to flags. */
export type Effect =
  | 'mint'
  | 'burn_other'
  | 'set_balance'
  | 'rebase'
  | 'freeze_one'
  | 'freeze_all'
  | 'halt_trading'
  | 'limit'
  | 'unlimit'
  | 'tax_all'
  | 'tax_cut'
  | 'tax_one'
  | 'allow_one'
  | 'exempt_one'
  | 'open_trading'
  | 'open_transfers'
  | 'withdraw'
  | 'withdraw_native'
  | 'spend_allowance'
  | 'take_ownership'
  | 'give_ownership'
  | 'destroy'

/** Smaller differences between shares received (millionths) are noise of prices and rounding. */
const TAX_STEP = 4_000
/** Balances count as changed from one thousandth of the old value on. */
const MATERIAL = 1_000n

const fell = (before: { ok: boolean }, after: { ok: boolean }) => before.ok && !after.ok
const lower = (before: { ok: boolean; share: number }, after: { ok: boolean; share: number }) =>
  before.ok && after.ok && after.share + TAX_STEP < before.share
const higher = (before: { ok: boolean; share: number }, after: { ok: boolean; share: number }) =>
  before.ok && after.ok && after.share > before.share + TAX_STEP
const grew = (before: bigint, after: bigint) => after > before && (after - before) * MATERIAL > before
/** A call can be repeated, so a millionth of the supply counts; rounding errors stay below. */
const MATERIAL_SUPPLY = 1_000_000n
const supplyGrew = (before: bigint, after: bigint) => after > before && (after - before) * MATERIAL_SUPPLY >= before
const shrank = (before: bigint, after: bigint) => after < before && (before - after) * MATERIAL > before
/** Whether b/a and d/c differ by at most about one percent. */
const sameRatio = (a: bigint, b: bigint, c: bigint, d: bigint) => {
  const left = a * d
  const right = b * c
  const gap = left > right ? left - right : right - left
  return gap * 200n <= left + right
}

const balanceEffects = (
  before: Observation,
  after: Observation,
  candidate: { actor: string },
  { victim, main }: { victim: string; main: string },
): Effect[] => {
  const found: Effect[] = []
  const scaled =
    before.victim > 0n &&
    before.bystander > 0n &&
    (grew(before.victim, after.victim) || shrank(before.victim, after.victim)) &&
    sameRatio(before.victim, after.victim, before.bystander, after.bystander) &&
    sameRatio(before.victim, after.victim, before.pool || before.victim, after.pool || after.victim)
  // An actor that shrinks all balances but its own takes tokens; that is no rebase.
  const spared =
    before.actor > 0n &&
    candidate.actor !== victim &&
    shrank(before.victim, after.victim) &&
    after.actor >= before.actor
  if (scaled && !spared) return ['rebase']
  const tracked = (o: Observation) =>
    o.victim + o.bystander + o.pool + o.self + (candidate.actor === victim ? 0n : o.actor)
  if (shrank(before.victim, after.victim) || shrank(before.bystander, after.bystander)) {
    found.push(after.supply < before.supply ? 'burn_other' : 'set_balance')
  } else if (shrank(before.pool, after.pool) && candidate.actor !== victim && after.victim === before.victim) {
    if (after.supply < before.supply || grew(before.actor, after.actor)) found.push('burn_other')
  }
  // If the supply did not grow, the tokens may come from a holder that is not observed. They were created only if the main
  // insider, whose balance is observed, received them, or if observed balances exceed the old supply.
  const created = tracked(after) - tracked(before)
  const outOfNothing =
    created > before.victim / 100n &&
    grew(tracked(before), tracked(after)) &&
    (candidate.actor === main || tracked(after) > before.supply)
  // A burn that underflows wraps the supply round while somebody loses tokens: nothing was minted.
  const somebodyLost = after.actor < before.actor || after.victim < before.victim || after.pool < before.pool
  if ((supplyGrew(before.supply, after.supply) && !somebodyLost) || outOfNothing) found.push('mint')
  return found
}

const movementEffects = (before: Observation, after: Observation): Effect[] => {
  const victimStopped =
    fell(before.victimMoves, after.victimMoves) ||
    fell(before.victimSells, after.victimSells) ||
    fell(before.victimSpentFor, after.victimSpentFor)
  const bystanderStopped =
    fell(before.bystanderMoves, after.bystanderMoves) || fell(before.bystanderSells, after.bystanderSells)
  const found: Effect[] = []
  if (victimStopped && bystanderStopped) found.push('freeze_all')
  else if (victimStopped && after.victim * 2n >= before.victim) {
    const onlyLarge = !fell(before.victimMoves, after.victimMoves) && !fell(before.victimSells, after.victimSells)
    found.push(onlyLarge ? 'limit' : 'freeze_one')
  } else if (bystanderStopped && after.bystander * 2n >= before.bystander) found.push('freeze_one')
  if (fell(before.buys, after.buys) && !bystanderStopped && !victimStopped) found.push('halt_trading')
  const rose = (a: { ok: boolean }, b: { ok: boolean }) => !a.ok && b.ok
  const letsAll =
    (rose(before.victimMoves, after.victimMoves) && rose(before.bystanderMoves, after.bystanderMoves)) ||
    (rose(before.victimSells, after.victimSells) && rose(before.bystanderSells, after.bystanderSells))
  if (rose(before.buys, after.buys)) found.push('open_trading')
  if (letsAll) found.push('open_transfers')
  if (rose(before.victimMoves, after.victimMoves) && !rose(before.bystanderMoves, after.bystanderMoves))
    found.push('allow_one')
  if (!victimStopped && fell(before.victimSellsMost, after.victimSellsMost)) found.push('limit')
  if (before.buys.ok && after.buys.ok && before.buysLarge && !after.buysLarge) found.push('limit')
  if (before.buys.ok && after.buys.ok && !before.buysLarge && after.buysLarge) found.push('unlimit')
  return found
}

const taxEffects = (before: Observation, after: Observation): Effect[] => {
  const found: Effect[] = []
  const compare = (v0: Trial, v1: Trial, b0: Trial, b1: Trial, sells: boolean) => {
    const [victimUp, bystanderUp] = [lower(v0, v1), lower(b0, b1)]
    if (victimUp && bystanderUp) found.push('tax_all')
    // A wallet that is marked as a pool pays the sell tax on plain transfers. Only a costlier sale is a tax on a holder.
    else if ((victimUp || bystanderUp) && (sells || !before.victimSells.ok)) found.push('tax_one')
    const [victimDown, bystanderDown] = [higher(v0, v1), higher(b0, b1)]
    if (victimDown && bystanderDown) found.push('tax_cut')
    else if (victimDown || bystanderDown) found.push('exempt_one')
  }
  compare(before.victimMoves, after.victimMoves, before.bystanderMoves, after.bystanderMoves, false)
  compare(before.victimSells, after.victimSells, before.bystanderSells, after.bystanderSells, true)
  if (lower(before.buys, after.buys)) found.push('tax_all')
  if (higher(before.buys, after.buys)) found.push('tax_cut')
  return found
}

/**
 * Effects of a call. `before` is the observation without the call, made as the same actor. `main` is the most powerful
 * insider.
 */
export const effectsOf = (
  before: Observation,
  after: Observation,
  candidate: { actor: string },
  roles: { victim: string; main: string },
): Effect[] => {
  const found = [
    ...balanceEffects(before, after, candidate, roles),
    ...movementEffects(before, after),
    ...taxEffects(before, after),
  ]
  if (after.base < before.base) found.push('withdraw')
  if (after.native < before.native) found.push('withdraw_native')
  if (after.victimBase < before.victimBase) found.push('spend_allowance')
  const [was, is] = [before.owner ?? 0n, after.owner ?? 0n]
  const dead = (owner: bigint) => owner === 0n || owner === 0xdeadn
  if (was !== is && dead(was) && !dead(is)) found.push('take_ownership')
  if (was !== is && !dead(was)) found.push('give_ownership')
  return [...new Set(found)]
}

/** Effects that give an account control over other accounts' tokens. */
export const CONTROL_EFFECTS: readonly Effect[] = [
  ...(['mint', 'burn_other', 'set_balance', 'freeze_one', 'freeze_all', 'tax_all', 'tax_one'] as const),
]

/** Largest share that a transfer, sale or purchase loses after the call, percent. */
export const taxAfter = (after: Observation): number => {
  const lost = [after.victimMoves, after.victimSells, after.buys]
    .filter((trial) => trial.ok)
    .map((trial) => 100 - trial.share / 10_000)
  return Math.max(0, ...lost)
}
