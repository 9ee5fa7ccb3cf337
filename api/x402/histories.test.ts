/** Thousands of random interleavings of payers, crashes, faults and two replicas; and mistakes that they must find. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/context/clock.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { type CreateGate, play } from '../../test/kit/payments/histories.ts'
import { sized } from '../../test/kit/thorough.ts'
import { createPaymentGate } from './gate.ts'

/** Most of the mistakes are found within the first hundred, the last one after some twelve hundred. */
const MUTANT_HISTORIES = 3_000
/** By day as many as mistakes are looked for in: each of them is found in these. */
const HISTORIES = sized(MUTANT_HISTORIES, 10_000)
const context = {
  log: createLog('silent'),
  metrics: createMetrics(),
  clock: systemClock,
  lifecycle: createLifecycle(1_000),
}

const search = async (createGate: CreateGate, histories: number, from = 1): Promise<string[]> => {
  for (let seed = from; seed < from + histories; seed++) {
    const problems = await play(seed, createGate, context)
    if (problems.length > 0) return problems
  }
  return []
}

test(`in ${HISTORIES} histories every settled payment is answered once, nothing is answered unpaid, and nothing gets stuck`, async () => {
  expect(await search(createPaymentGate, HISTORIES)).toEqual([])
}, 120_000)

/** A mistake: a file of this folder, what it says, and what it would say. */
const MUTANTS: [name: string, file: string, text: string, mistake: string][] = [
  ['does not read back what others attempt', 'gate.ts', '(await isAlone(own)) && ', ''],
  ['gives the stored answer without its signature', 'gate.ts', ' && holder.proof === proofOf(payment)', ''],
  [
    'gives the stored answer to another request',
    'gate.ts',
    'holder.fingerprint === fingerprintOf(operation, request) && ',
    '',
  ],
  ['gives out the answer of what was refunded', 'gate.ts', "state === 'refunded' || ", ''],
  [
    'forgets what it took when its receiver is another one',
    'gate.ts',
    'if (!holder || !isOf(holder, payment, purchase)) return refuse(mismatch',
    'if (true) return refuse(mismatch',
  ],
  ['never asks again for a settlement that was lost', 'gate.ts', "if (known.outcome !== 'pending' ||", 'if (true ||'],
  [
    'does not tell who was charged and never answered',
    'reconcile.ts',
    'pagesOf(ledger, NOT_ANSWERED',
    "pagesOf(ledger, ['refunded']",
  ],
  [
    'answers while the settlement is pending',
    'settlement.ts',
    '      log.warn({ payment: payment.key, transaction',
    "      return { outcome: 'settled', payment: open }\n      log.warn({ payment: payment.key, transaction",
  ],
  [
    'takes an authorization that was canceled for one that was paid',
    'settlement.ts',
    "if (fate?.at === 'paid') return paid(payment, fate.transaction)",
    "if (fate?.at === 'paid' || fate?.at === 'spent') return paid(payment, '')",
  ],
  [
    'gives up a settlement that is not on chain yet',
    'settlement.ts',
    'fate.blockTime >= payment.valid_before + FINAL_AFTER_S',
    'true',
  ],
  [
    'forgets a settlement as soon as it is refused',
    'settlement.ts',
    "record(payment, 'pending', {",
    "record(payment, 'released', {",
  ],
  ['keeps an attempt that was never begun for ever', 'states.ts', 'now - moved < LEASE_MS', 'true'],
  [
    'forgets that money moved',
    'states.ts',
    "rank: 3,\n    paid: true,\n    moves: ['confirmed', 'answered'",
    "rank: 3,\n    paid: false,\n    moves: ['confirmed', 'answered'",
  ],
  ['believes a facilitator that says that it settled', 'confirm.ts', 'if (hasChain) await confirmAll()', ''],
  [
    'confirms what a block has that may be replaced',
    'settlement.ts',
    "const fate = await fateOf(payment, 'finalized')",
    "const fate = await fateOf(payment, 'latest')",
  ],
  [
    'releases what a block ended that may be replaced',
    'settlement.ts',
    " && (await fateOf(payment, 'finalized'))?.at === 'spent'",
    '',
  ],
  ['disputes what can still come', 'settlement.ts', 'fate.blockTime < payment.valid_before)', 'false)'],
  [
    'disputes what an earlier answer called paid',
    'settlement.ts',
    "if (fate.at === 'paid') {",
    "if (fate.at === 'paid' && false) {",
  ],
]

/** The gate with a mistake in it: the folder's files, copied to where their other imports are found by absolute paths. */
const withMistake = async (file: string, text: string, mistake: string): Promise<CreateGate> => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mutant-'))
  try {
    for (const name of ['gate.ts', 'settlement.ts', 'reconcile.ts', 'confirm.ts', 'states.ts']) {
      const source = await readFile(new URL(name, import.meta.url), 'utf8')
      if (name === file && source.split(text).length !== 2) throw new Error(`${file} does not have "${text}" once`)
      const changed = name === file ? source.replace(text, mistake) : source
      const absolute = changed.replace(/from '(\.[^']*)'/g, (whole, path: string) =>
        /^\.\/(settlement|reconcile|confirm|states)\.ts$/.test(path)
          ? whole
          : `from '${new URL(path, import.meta.url).pathname}'`,
      )
      await writeFile(join(folder, name), absolute)
    }
    const { createPaymentGate } = (await import(/* @vite-ignore */ join(folder, 'gate.ts'))) as {
      createPaymentGate: CreateGate
    }
    return createPaymentGate
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test.each(MUTANTS)(
  'detects a gate that %s',
  async (_, file, text, mistake) => {
    expect(await search(await withMistake(file, text, mistake), MUTANT_HISTORIES)).not.toEqual([])
  },
  120_000,
)
