/**
 * Random histories of payments: payers of several characters, two replicas that are killed at any external call and restarted,
 * with different clocks and at times another receiver, an operator who refunds, and a facilitator, chain, node and store that
 * fail. `play` returns the violations found in one history.
 */
import { setImmediate } from 'node:timers/promises'
import type { Answer } from '../../../api/answers/answer.ts'
import type { Authorize } from '../../../api/http/authorize.ts'
import { createPayments, type Sale } from '../../../api/http/payment.ts'
import type { createPaymentGate } from '../../../api/x402/gate.ts'
import { UNANSWERED_MS } from '../../../api/x402/reconcile.ts'
import { planRefunds, recordRefund } from '../../../api/x402/refunds.ts'
import { createLocalReservations, type Reservations } from '../../../api/x402/reservations.ts'
import { isUncertain } from '../../../api/x402/settlement.ts'
import { AFTER_FINAL, isPaid, PATIENCE_MS } from '../../../api/x402/states.ts'
import type { Context } from '../../../platform/context/context.ts'
import { createSchedule, type Process, randomOf } from './schedule.ts'
import { cancel, facilitatorOf, ledgerOf, replace, transfer, type World } from './world.ts'

/** The gate under test, which may contain a deliberate bug. */
export type CreateGate = typeof createPaymentGate

const START = 1_790_000_000_000
const RECEIVER = `0x${'11'.repeat(20)}`
/** Receiver of a replica started with other settings. */
const OTHER_RECEIVER = `0x${'22'.repeat(20)}`
/** Maximum difference of a replica's clock, ms. */
const MAX_SKEW_MS = 15_000
const VALID_SECONDS = 3_000
const MAX_ROUNDS = 3
/** Longer than any lease. */
const JUMP_MS = 130_000

/**
 * Behaviour of a payer: sends one request several times; sends two requests with one authorization; ends the authorization on
 * chain during settlement; someone else copies what the chain shows of it; pays too late; sends requests that fail.
 */
const BEHAVIOURS = ['honest', 'doubleSpending', 'canceling', 'copied', 'poor', 'free'] as const

type Payer = {
  character: (typeof BEHAVIOURS)[number]
  nonce: string
  /** Whether the payer repeats the payment until it gets an answer. */
  patient: boolean
  header: string
  forged: string
  /** Produced response bodies, and those of them that arrived. */
  made: Set<string>
  delivered: Set<string>
}

type Replica = Process & { gate: ReturnType<CreateGate>; sell: ReturnType<typeof createPayments>['sell'] }

const word = (index: number, bytes: number): string => `0x${index.toString(16).padStart(bytes * 2, '0')}`

const headerOf = (from: string, nonce: string, signature: string, validBefore: number): string => {
  const authorization = {
    from,
    to: RECEIVER,
    value: '150000',
    validAfter: '0',
    validBefore: String(validBefore),
    nonce,
  }
  const payment = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature, authorization } }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

const authorize: Pick<Authorize, 'admit' | 'blocked' | 'fail'> = {
  admit: (caller) => ({ caller, headers: {} }),
  blocked: () => undefined,
  fail: () => undefined,
}

const createPayers = (world: World): Payer[] =>
  Array.from({ length: world.random() < 0.75 ? 1 : 2 }, (_, index) => {
    const nonce = word(index + 1, 32)
    const from = word(index + 1, 20)
    const signature = word(index + 1, 65)
    const validBefore = Math.floor(world.now / 1_000) + VALID_SECONDS
    const character = BEHAVIOURS[Math.floor(world.random() * BEHAVIOURS.length)] ?? 'honest'
    world.signed.set(nonce, { nonce, from, signature, validBefore })
    if (character === 'poor') world.poor.add(nonce)
    return {
      character,
      nonce,
      patient: world.random() < 0.8,
      header: headerOf(from, nonce, signature, validBefore),
      forged: headerOf(from, nonce, word(0, 65), validBefore),
      made: new Set(),
      delivered: new Set(),
    }
  })

/** @returns the violations, in words; empty if there are none */
export const play = async (seed: number, createGate: CreateGate, base: Context): Promise<string[]> => {
  const random = randomOf(seed)
  const schedule = createSchedule(random)
  const world: World = {
    random,
    schedule,
    now: START,
    faults: random() < 0.3 ? 0 : random() * 0.3,
    hasChain: random() < 0.85,
    used: new Map(),
    usedAt: new Map(),
    deceived: new Set(),
    counted: new Set(),
    refunded: new Set(),
    poor: new Set(),
    signed: new Map(),
    mempool: [],
    asked: new Set(),
    reverted: new Set(),
    rows: new Map(),
    problems: [],
  }
  const { problems } = world
  const now = () => world.now
  const shared = random() < 0.3 ? createLocalReservations(now) : undefined
  let attempts = 0
  let answers = 0

  const start = (receiver = RECEIVER): Replica => {
    const process: Process = { alive: true }
    const skew = Math.round((random() * 2 - 1) * MAX_SKEW_MS)
    const context: Context = { ...base, clock: { ...base.clock, now: () => world.now + skew } }
    const reservations: Reservations = shared ?? createLocalReservations(now)
    const gate = createGate({
      context,
      receiver,
      facilitator: facilitatorOf(world, process),
      ledger: ledgerOf(world, process),
      reservations,
      nameAttempt: () => String(++attempts),
    })
    return Object.assign(process, { gate, sell: createPayments(gate, authorize as Authorize, context).sell })
  }
  const replicas = [start(), start()]
  const payers = createPayers(world)

  type Before = { wasPaid: boolean; wasRefunded: boolean }
  const deliver = (payer: Payer, by: Replica, asked: string, before: Before, forged: boolean, answer: Answer) => {
    if (answer.status !== 200) {
      const waiting = answer.body.includes('still settling') || answer.status === 503
      if (
        before.wasPaid &&
        !world.refunded.has(payer.nonce) &&
        world.used.get(payer.nonce) === 'paid' &&
        !waiting &&
        !forged &&
        payer.character !== 'doubleSpending' &&
        payer.character !== 'free'
      ) {
        problems.push(`a charged payer got the answer that it was not charged: ${answer.body.slice(0, 90)}`)
      }
      return
    }
    if (before.wasRefunded) problems.push('an answer was handed over after its refund')
    const isUnpaid = world.used.get(payer.nonce) !== 'paid' && !world.deceived.has(payer.nonce)
    if (isUnpaid) problems.push(`an answer was handed over unpaid (${payer.character})`)
    if (forged) problems.push('an answer was handed over to somebody who copied a payment')
    if (!answer.body.startsWith(`${asked} `)) problems.push('an answer to another request was handed over')
    payer.made.add(answer.body)
    if (payer.made.size > 1) problems.push('one payment bought two answers')
    // The connection may break before the answer has arrived.
    if (random() < (payer.patient ? world.faults : 0.5)) return
    payer.delivered.add(answer.body)
    if (by.alive) answer.onSent?.()
  }

  /** One request of a payer to a replica, as far as it gets. */
  const send = (payer: Payer, by: Replica, asked: string, forged = false): Promise<void> => {
    const sale: Sale = {
      resource: { url: 'http://x', description: '' },
      operation: 'fraud_check',
      request: { asked },
      requestId: 'r',
      ip: '',
    }
    const before = { wasPaid: world.used.get(payer.nonce) === 'paid', wasRefunded: world.refunded.has(payer.nonce) }
    return by
      .sell(forged ? payer.forged : payer.header, sale, async () =>
        schedule.call(by, () =>
          payer.character === 'free'
            ? { answer: { status: 404, body: 'not found', outcome: '' }, owed: false }
            : { answer: { status: 200, body: `${asked} ${++answers}`, outcome: '' }, owed: true },
        ),
      )
      .then((answer) => schedule.call(by, () => deliver(payer, by, asked, before, forged, answer)))
      .catch((error: unknown) => void problems.push(`a request failed with ${String(error)}`))
  }

  const operator: Process = { alive: true }
  const books = ledgerOf(world, operator)
  /** An operator refunds what was charged but never answered according to the ledger, and records it. */
  const refund = async () => {
    for (const { payment } of await planRefunds(books, world.now)) {
      await recordRefund(books, async () => 1, { key: payment.key, transaction: payment.nonce, now: world.now })
    }
  }

  /** Events of the world besides the calls in progress. */
  const happen = () => {
    const index = Math.floor(random() * replicas.length)
    const dice = random()
    const payer = payers[Math.floor(random() * payers.length)]
    const replica = replicas[index]
    if (!payer || !replica) return
    if (random() < 0.05) void refund().catch(() => undefined)
    if (dice < 0.25) {
      schedule.kill(replica)
      replicas[index] = start(random() < 0.2 ? OTHER_RECEIVER : RECEIVER)
    } else if (dice < 0.6) {
      const asked = payer.character === 'doubleSpending' && random() < 0.5 ? 'other' : 'one'
      void send(payer, replica, asked, payer.character === 'copied' && random() < 0.5)
    } else if (dice < 0.7) {
      for (const nonce of world.mempool.splice(0)) transfer(world, nonce)
    } else if (dice < 0.8) {
      void replica.gate.reconcile().catch(() => undefined)
    } else if (dice < 0.85) {
      replace(world, payer.nonce)
    } else if (payer.character === 'canceling') cancel(world, payer.nonce)
    else if (payer.character === 'poor') world.poor.delete(payer.nonce)
  }

  const drain = async () => {
    do await setImmediate()
    while (await schedule.step())
  }
  const pass = async (ms: number) => {
    await drain()
    world.now += ms
  }

  for (let rounds = Math.ceil(random() * MAX_ROUNDS); rounds > 0; rounds--) {
    for (const payer of payers) {
      if (payer.delivered.size > 0) continue
      for (const replica of random() < 0.5 ? replicas : replicas.slice(1)) void send(payer, replica, 'one')
      if (payer.character === 'doubleSpending') void send(payer, replicas[0] ?? start(), 'other')
    }
    await setImmediate()
    for (let step = 0; step < 24; step++) {
      world.now += Math.floor(random() * 200)
      if (random() < 0.12) happen()
      await schedule.step()
    }
    const canceling = payers.filter(({ character }) => character === 'canceling')
    if (random() < (canceling.length > 0 ? 0.6 : 0.2)) {
      // Drained between a settlement, or the cause of its failure, and the block that replaces its own.
      await drain()
      for (const { nonce } of canceling) {
        cancel(world, nonce)
        // A settlement the facilitator lost track of may be sent late.
        const lost = [...world.rows.values()].some((row) => row.nonce === nonce && isUncertain(row))
        if (lost && world.asked.has(nonce)) world.mempool.push(nonce)
      }
      for (const nonce of world.mempool.splice(0)) transfer(world, nonce)
      world.now += PATIENCE_MS
      void replicas[0]?.gate.reconcile().catch(() => undefined)
      await drain()
      for (const { nonce } of payers) replace(world, nonce)
    }
    await pass(JUMP_MS)
  }

  replicas.splice(0, 2, start(), start())
  // Everything works again: patient payers get what they paid for.
  world.faults = 0
  for (const nonce of world.mempool.splice(0)) transfer(world, nonce)
  world.poor.clear()
  for (let tries = 0; tries < 3; tries++) {
    for (const payer of payers) {
      if (!payer.patient || (tries > 0 && payer.delivered.size > 0)) continue
      for (const asked of payer.character === 'doubleSpending' ? ['one', 'other'] : ['one']) {
        void send(payer, replicas[tries % 2] ?? start(), asked)
        await drain()
      }
    }
    await pass(JUMP_MS)
  }
  for (const { character, patient, nonce, delivered } of payers) {
    const paid = world.used.get(nonce) === 'paid'
    if (character === 'free' && paid) problems.push('an answer that was free was charged')
    // Without a node to ask, a facilitator that lost track of a settlement leaves it undecided.
    if (!patient || character === 'free' || (character === 'canceling' && !paid)) continue
    if (delivered.size > 0 || !world.hasChain || (world.deceived.has(nonce) && !paid)) continue
    if (world.refunded.has(nonce)) continue
    problems.push(`a patient payer never got his answer (${character})`)
  }

  // All authorizations have expired: nothing stays undecided, and charges without an answer are found.
  await pass(VALID_SECONDS * 1_000 + 300_000)
  const reconciled = replicas.map(async ({ gate }) => gate.reconcile())
  await drain()
  await Promise.all(reconciled)
  await pass(2 * UNANSWERED_MS)
  if (random() < 0.3) {
    void refund()
    await drain()
    for (const payer of payers) if (world.refunded.has(payer.nonce)) void send(payer, replicas[1] ?? start(), 'one')
  }
  const last = replicas[0]?.gate.reconcile()
  await drain()
  const outlook = await last
  for (const { nonce, delivered, character } of payers) {
    const rows = [...world.rows.values()].filter((row) => row.nonce === nonce)
    const stuck = rows.filter(({ state }) => ['reserved', 'settling', 'pending'].includes(state))
    if (stuck.length > 0) problems.push(`an authorization is stuck as ${stuck[0]?.state}`)
    const waiting = rows.filter(({ state }) => state in AFTER_FINAL)
    const disputed = rows.filter(({ state }) => state === 'disputed')
    if (!world.hasChain) {
      if (rows.some(({ state }) => state === 'confirmed' || state === 'completed')) problems.push('confirmed by nobody')
      if (disputed.length > 0) problems.push('disputed by nobody')
      if (waiting.length > 0 && outlook?.unconfirmed !== undefined) problems.push('counted what nobody looked up')
      continue
    }
    const paid = rows.filter(({ state }) => isPaid(state))
    const expected = world.used.get(nonce) === 'paid' ? 1 : 0
    if (paid.length !== expected) problems.push(`${paid.length} attempts count as paid, ${expected} was (${character})`)
    if (waiting.length > 0) problems.push(`a payment is never confirmed (${waiting[0]?.state})`)
    if (disputed.length > 0 && expected > 0) problems.push('a payment that moved money is disputed')
    if (disputed.length > 0 && !world.deceived.has(nonce)) problems.push('a payment is disputed and nobody lied')
    if (disputed.length > 0 && !outlook?.disputed) problems.push('a dispute is not reported')
    // A process that dies before it stored the facilitator's answer leaves no trace of it.
    if (expected === 0 && world.counted.has(nonce) && disputed.length === 0) {
      problems.push('what counted as paid and was not is not disputed')
    }
    if (world.refunded.has(nonce)) continue
    if (expected === 1 && delivered.size === 0 && (paid[0]?.state !== 'confirmed' || !outlook?.unanswered)) {
      problems.push('a payer was charged but not answered, and this is not reported')
    }
  }
  return problems.length === 0 ? problems : [`seed ${seed}`, ...new Set(problems)]
}
