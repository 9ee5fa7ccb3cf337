/** Routes of alerts: list, one with its history, and changes. Enterprise surface only. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parseAddress } from '../../../schema/address/index.ts'
import { NETWORK_CODES, parseNetwork } from '../../../schema/networks.ts'
import { timestampOf } from '../../../schema/records/common.ts'
import {
  type AlertChange,
  type AlertEntry,
  type AlertShown,
  alertChange,
  alertsChange,
} from '../../../schema/records/service/alerts.ts'
import { DIRECTIONS, WATCHED_OPERATIONS } from '../../../schema/records/service/monitoring.ts'
import { ALERT_STATES } from '../../../schema/tables/service/monitoring.ts'
import type { AuditLog } from '../../accounting/audit/log.ts'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import { batchAnswer } from '../../answers/batch-answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { networkRefused, operationRefused } from '../../keys/restrictions.ts'
import { invalid } from '../../operations.ts'
import { type Alert, type Alerts, alertOf, type Entry, type PendingEntry, type Visibility } from '../alerts/alerts.ts'
import { type AccountRequest, answerOf, createServe, parsed, type RouteOptions } from './serve.ts'

/** Maximum number of entries of an alert. */
const MAX_ENTRIES = 1_000
/** Maximum size of the histories in one answer, which are in memory together, bytes. */
const MAX_HISTORY_BYTES = 4 * 2 ** 20

const LIMIT = 'must be a number from 1 to 1000'
const alertsQuery = z
  .object({
    state: z.enum(ALERT_STATES, `must be one of ${ALERT_STATES.join(', ')}`).optional(),
    direction: z.enum(DIRECTIONS, `must be one of ${DIRECTIONS.join(', ')}`).optional(),
    network: z.string().max(32).optional(),
    walletAddress: z.string().max(128).optional(),
    author: z.string().max(100).optional(),
    before: z
      .string()
      .regex(/^\d{1,15}:\w{1,64}$/, 'must be the `next` of a page')
      .optional(),
    limit: z
      .string()
      .regex(/^\d{1,4}$/, LIMIT)
      .transform(Number)
      .pipe(z.number().min(1, LIMIT).max(1_000, LIMIT))
      .default(100),
  })
  .transform(({ network: name, walletAddress, ...rest }, context) => {
    const network = name === undefined ? undefined : parseNetwork(name)
    const refuse = (path: string, message: string) => {
      context.issues.push({ code: 'custom', path: [path], message, input: path })
      return z.NEVER
    }
    if (name !== undefined && !network) return refuse('network', `must be one of ${NETWORK_CODES.join(', ')}`)
    if (walletAddress === undefined) return { ...rest, network }
    if (!network) return refuse('network', 'is required with walletAddress')
    const address = parseAddress(network, walletAddress)
    return address.ok ? { ...rest, network, address: address.canonical } : refuse('walletAddress', address.reason)
  })

/** Dependencies of the routes. */
export type AlertRoutesOptions = RouteOptions & {
  alerts: Alerts
  /** Records answers. */
  audit?: AuditLog | undefined
}

const UNKNOWN = errorAnswer('NOT_FOUND', 'Your key has no alert with this id.')

const TOO_LONG = invalid([
  {
    path: ['alerts'],
    message: 'have histories that are too long for one request: change this alert in a request with fewer alerts',
  },
])

/** What a key may access; nothing for a test key. */
const visibilityOf = (caller: Caller): Visibility => ({
  networks: NETWORK_CODES.filter((network) => !caller.test && !networkRefused(caller, network)),
  operations: WATCHED_OPERATIONS.filter((operation) => !operationRefused(caller, operation)),
})

const textOf = <T extends string>(text: T | ''): T | null => (text === '' ? null : text)
const shown = ({
  alert: id,
  address: walletAddress,
  outcome,
  key,
  author,
  created,
  changed,
  ...alert
}: Alert): AlertShown => ({
  id,
  walletAddress,
  ...alert,
  outcome: textOf(outcome),
  key: textOf(key),
  author: textOf(author),
  createdAt: timestampOf(created),
  changedAt: timestampOf(changed),
})
const entryOf = ({ entry: revision, at, state, outcome, comment, key, author }: Entry): AlertEntry => ({
  revision,
  at: timestampOf(at),
  state,
  outcome: textOf(outcome),
  comment: textOf(comment),
  key: textOf(key),
  author: textOf(author),
})

/** The answer about an alert. The audit log refers to its verdict. */
const alertAnswerOf = (alert: Alert, entries: readonly Entry[]): Answer => ({
  ...answerOf({ alert: shown(alert), history: entries.map(entryOf) }),
  about: { network: alert.network, address: alert.address, version: alert.change.after?.recordVersion ?? 0 },
})

const conflict = (revision: number): Answer =>
  errorAnswer(
    'CHANGED_MEANWHILE',
    'The alert was changed after you read it. Your change was not applied. Read it again.',
    [{ field: 'revision', reason: `is now ${revision}` }],
  )

/** Adds `/alerts` and its sub-routes. */
export const installAlerts = (app: FastifyInstance, options: AlertRoutesOptions): void => {
  const { context, alerts, audit } = options
  const { route, serve } = createServe(options)

  const page = async ({ request, caller, account }: AccountRequest): Promise<Answer> => {
    const { value, refused } = parsed(alertsQuery, request.query)
    if (refused) return refused
    const { before, ...selection } = value
    const [created, beforeAlert = ''] = before?.split(':') ?? []
    const visibility = visibilityOf(caller)
    const [counts, found] = await Promise.all([
      alerts.counts(account, visibility),
      alerts.page(account, visibility, {
        ...selection,
        before: created === undefined ? undefined : { created: Number(created), alert: beforeAlert },
      }),
    ])
    const last = found.length === value.limit ? found.at(-1) : undefined
    return answerOf({
      counts,
      alerts: found.map(shown),
      next: last ? `${last.created}:${last.alert}` : null,
    })
  }

  /** The alert, if the key may access it. */
  const visible = (id: string, entries: readonly Entry[], visibility: Visibility): Alert | undefined => {
    const alert = alertOf(id, entries)
    return alert && visibility.networks.includes(alert.network) && visibility.operations.includes(alert.operation)
      ? alert
      : undefined
  }

  const one = async ({ request, caller, account }: AccountRequest): Promise<Answer> => {
    const refused = audit?.refusal()
    if (refused) return refused
    const { id } = request.params as { id: string }
    const entries = (await alerts.entries(account, [id])).get(id) ?? []
    const alert = visible(id, entries, visibilityOf(caller))
    if (!alert) return UNKNOWN
    const answer = alertAnswerOf(alert, entries)
    note('alert_get', caller, alert, answer)
    return answer
  }

  const note = (operation: string, caller: Caller, { network, address }: Alert, answer: Answer): void =>
    audit?.note(caller, operation, { network, walletAddress: address }, answer)

  /** The new entry, or the refusal. */
  const additionTo = (
    alert: Alert,
    seen: readonly Entry[],
    change: AlertChange,
    caller: Caller,
  ): PendingEntry['addition'] | Answer => {
    if (change.revision !== alert.revision) return conflict(alert.revision)
    if (seen.length >= MAX_ENTRIES)
      return invalid([{ path: ['comment'], message: `must not be added: the alert has ${MAX_ENTRIES} entries` }])
    const comment = change.comment.trim()
    const state = change.state ?? alert.state
    const outcome = change.state === undefined ? alert.outcome : (change.outcome ?? '')
    if (comment === '' && state === alert.state && outcome === alert.outcome)
      return invalid([{ path: ['state'], message: `is already ${state}` }])
    return { state, outcome, comment, key: caller.id, author: change.author.trim(), at: context.clock.now() }
  }

  /** Changes several alerts. Returns an answer for each, and records answers about existing alerts in the audit log. */
  const change = async (
    changes: ReadonlyMap<string, AlertChange>,
    { caller, account }: AccountRequest,
  ): Promise<Answer[]> => {
    const before = await alerts.entries(account, [...changes.keys()])
    const visibility = visibilityOf(caller)
    const decided = [...changes].map(([id, wanted]) => {
      const seen = before.get(id) ?? []
      const alert = visible(id, seen, visibility)
      return { id, seen, alert, next: alert ? additionTo(alert, seen, wanted, caller) : UNKNOWN }
    })
    const additions = decided.flatMap(({ seen, next }) => ('at' in next ? [{ seen, addition: next }] : []))
    const now = additions.length > 0 ? await alerts.add(account, additions) : new Map<string, Entry[]>()
    return decided.map(({ id, alert, next }) => {
      const entries = now.get(id)
      const changed = entries && alertOf(id, entries)
      const answer = changed
        ? alertAnswerOf(changed, entries)
        : 'at' in next
          ? conflict((alert?.revision ?? 0) + 1)
          : next
      if (alert) note('alert_change', caller, alert, answer)
      return answer
    })
  }

  const changeOne = async (asked: AccountRequest): Promise<Answer> => {
    const refused = audit?.refusal()
    if (refused) return refused
    const { id } = asked.request.params as { id: string }
    const wanted = parsed(alertChange, asked.request.body)
    if (wanted.refused) return wanted.refused
    const [answer = UNKNOWN] = await change(new Map([[id, wanted.value]]), asked)
    return answer
  }

  const changeSome = async (asked: AccountRequest): Promise<Answer> => {
    const refused = audit?.refusal()
    if (refused) return refused
    const wanted = parsed(alertsChange, asked.request.body)
    if (wanted.refused) return wanted.refused
    const { alerts: some, ...done } = wanted.value
    const sizes = await alerts.sizes(
      asked.account,
      some.map(({ id }) => id),
    )
    let bytes = 0
    const fits = some.filter(({ id }, place) => {
      bytes += sizes.get(id) ?? 0
      return place === 0 || bytes <= MAX_HISTORY_BYTES
    })
    const changes = new Map(fits.map(({ id, revision }) => [id, { ...done, revision }]))
    const answers = await change(changes, asked)
    const byId = new Map(fits.map(({ id }, place) => [id, answers[place]]))
    return batchAnswer(
      some.map(({ id }) => byId.get(id) ?? TOO_LONG),
      'monitoring',
    )
  }

  app.get('/alerts', route, serve(page))
  app.post('/alerts', route, serve(changeSome))
  app.get('/alerts/:id', route, serve(one))
  app.post('/alerts/:id', route, serve(changeOne))
}
