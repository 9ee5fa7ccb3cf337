/**
 * Writes the audit log. Answering only hashes the body; sealing, chaining and one insert follow once a second. A failed insert is
 * repeated with the same token, so entries are stored once. A killed process loses the last second, and its chain ends without an
 * end entry. While the store is unavailable, entries wait in memory up to a limit. Further entries are lost; a metric and the next
 * entry count them.
 */

import { hash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { isWithin } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { parseNetwork } from '../../../schema/networks.ts'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { type Entry, hashOf, NO_HASH, newSecret, type Sealed, seal } from './entry.ts'

const HELD = readSql(import.meta.url, './sql/held-secrets.sql')

const MAX_WAITING = 100_000
const MAX_BATCH = 10_000
/** Maximum length of an address from an invalid request. */
const MAX_ADDRESS = 128
/** Secrets in memory. A key whose secret was evicted gets a new one. */
const MAX_SECRETS = 20_000
/** How often erased secrets are looked up, ms. */
const HELD_MS = 10_000
/** With a required log: how long entries may stay unstored before calls are refused, ms. */
const REFUSE_MS = 10_000
/** How long sealing may block the event loop at a time, ms. */
const SLICE_MS = 4

/** The audit log of one process. Each process writes its own chain. */
export type AuditLog = {
  /** Name of the chain. */
  readonly chain: string
  /** Records an answer. Ignores test keys. */
  note: (caller: Caller, operation: string, input: unknown, answer: Answer) => void
  /** The answer to all calls while a required log cannot be stored. */
  refusal: () => Answer | undefined
  /** Stores pending entries. On failure they stay pending. */
  flush: () => Promise<void>
  /** Adds the end entry and stores the rest. */
  close: () => Promise<void>
}

/** Options of the audit log. */
export type AuditLogOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  store: Store
  /** Refuses calls instead of losing entries. */
  required: boolean
  /** Maximum number of pending entries. @default 100_000 */
  maxWaiting?: number
}

type Noted = Pick<Entry, 'at' | 'kind' | 'key' | 'operation' | 'network' | 'status' | 'lost'> & { part: Sealed }
type Unsent = { table: string; token: string; lines: string; entries: number }

const asked = z.object({ network: z.string().catch(''), walletAddress: z.string().catch('') }).catch({
  network: '',
  walletAddress: '',
})

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Begins a new chain. The caller must call `flush` regularly. */
export const createAuditLog = ({ context, store, required, maxWaiting = MAX_WAITING }: AuditLogOptions): AuditLog => {
  const { clock, log, metrics } = context
  const lostTotal = metrics.counter('assay_audit_lost_total', 'Answers lost from the audit log')
  const waitingNow = metrics.gauge('assay_audit_waiting', 'Audit log entries waiting to be stored')
  const chain = `${hostname()}/${new Date(clock.now()).toISOString()}/${randomBytes(6).toString('hex')}`

  let noted: Noted[] = []
  const unsent: Unsent[] = []
  /** Entries noted or unsent. */
  let waiting = 0
  let lost = 0
  let seq = 0
  let previous = NO_HASH
  let lookedAt = clock.now()
  /** When the oldest unstored entries were first sent. */
  let unstoredSince: number | undefined
  let sending: Promise<void> = Promise.resolve()
  const secrets = new Map<string, { id: string; secret: Buffer }>()

  const add = (entry: Omit<Noted, 'at' | 'lost'>) => {
    noted.push({ ...entry, at: clock.now(), lost })
    lost = 0
    waiting++
  }

  const secretOf = (key: string, lines: string[]) => {
    const known = secrets.get(key)
    if (known) return known
    const made = { id: randomBytes(12).toString('hex'), secret: newSecret() }
    secrets.set(key, made)
    const [oldest] = secrets.keys()
    if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest)
    const row = { id: made.id, chain, key, secret: made.secret.toString('base64'), made: seconds(clock.now()) }
    lines.push(`${JSON.stringify(row)}\n`)
    return made
  }

  const chained = (from: Noted, secretLines: string[]): string => {
    const { part, ...rest } = from
    const secret = from.kind === 'end' ? undefined : secretOf(from.key, secretLines)
    seq++
    const entry: Entry = { ...rest, secret: secret?.id ?? '', sealed: secret ? seal(secret.secret, seq, part) : '' }
    previous = hashOf(previous, chain, seq, entry)
    return `${JSON.stringify({ chain, seq, ...entry, at: seconds(entry.at), hash: previous })}\n`
  }

  /** Turns noted entries into inserts. */
  const prepare = async () => {
    while (noted.length > 0) {
      const taken = noted.slice(0, MAX_BATCH)
      noted = noted.slice(MAX_BATCH)
      const first = seq + 1
      const lines: string[] = []
      const secretLines: string[] = []
      let begun = performance.now()
      for (const entry of taken) {
        lines.push(chained(entry, secretLines))
        if (performance.now() - begun < SLICE_MS) continue
        await setImmediate()
        begun = performance.now()
      }
      // Secrets are stored before the entries they seal.
      if (secretLines.length > 0) {
        const token = `audit_secrets:${chain}:${first}`
        unsent.push({ table: 'audit_secrets', token, lines: secretLines.join(''), entries: 0 })
      }
      const token = `audit_log:${chain}:${first}`
      unsent.push({ table: 'audit_log', token, lines: lines.join(''), entries: lines.length })
    }
  }

  const sendUnsent = async () => {
    for (let first = unsent[0]; first; first = unsent[0]) {
      await store.insert(first.table, first.lines, { token: first.token })
      unsent.shift()
      waiting -= first.entries
    }
  }

  /** Drops erased secrets, so that their keys get new ones. */
  const forgetErased = async () => {
    if (noted.length === 0 || secrets.size === 0 || isWithin(clock, HELD_MS, lookedAt)) return
    const rows = await store.query<{ id: string }>(HELD, { chain }, { route: 'audit_secrets' })
    const held = new Set(rows.map(({ id }) => id))
    for (const [key, { id }] of secrets) if (!held.has(id)) secrets.delete(key)
    lookedAt = clock.now()
  }

  const sendAll = async () => {
    if (waiting > 0) unstoredSince ??= clock.now()
    try {
      // First the old inserts, so that all secrets in memory are stored when erased ones are looked up.
      await sendUnsent()
      await forgetErased()
      await prepare()
      await sendUnsent()
      unstoredSince = undefined
    } finally {
      waitingNow.set(waiting)
    }
  }
  const flush = (): Promise<void> => {
    const sent = sending.then(sendAll)
    sending = sent.catch(() => undefined)
    return sent
  }
  const isFull = () => waiting >= maxWaiting

  return {
    chain,
    note: ({ kind, id, test }, operation, input, { status, body, about }) => {
      if (test) return
      if (isFull()) {
        lost++
        lostTotal.inc()
        return
      }
      const { network, walletAddress } = about ? { network: '', walletAddress: '' } : asked.parse(input)
      add({
        kind,
        key: id,
        operation,
        network: about?.network ?? parseNetwork(network) ?? '',
        status,
        part: {
          address: about?.address ?? walletAddress.slice(0, MAX_ADDRESS),
          version: about?.version ?? 0,
          body: hash('sha256', body),
        },
      })
    },
    refusal: () => {
      const late = unstoredSince !== undefined && clock.now() - unstoredSince >= REFUSE_MS
      if (!required || !(late || isFull())) return undefined
      const message = 'The audit log cannot be written at the moment, so the call was refused. Try again shortly.'
      return errorAnswer('DEPENDENCY_UNAVAILABLE', message, [], { 'retry-after': '5' })
    },
    flush,
    close: async () => {
      add({ kind: 'end', key: '', operation: '', network: '', status: 0, part: { address: '', version: 0, body: '' } })
      try {
        await flush()
        log.info({ chain, entries: seq, hash: previous }, 'ended a chain of the audit log')
      } catch (error) {
        lostTotal.inc(waiting - 1)
        throw error
      }
    },
  }
}
