/** Alerts over HTTP: a page of them, one with its history, and what is done with it. Enterprise surface only. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parseAddress } from '../../../schema/address/index.ts'
import { NETWORK_CODES, parseNetwork } from '../../../schema/networks.ts'
import { timestampOf } from '../../../schema/records/common.ts'
import { type AlertEntry, type AlertShown, alertChange } from '../../../schema/records/service/alerts.ts'
import { DIRECTIONS, WATCHED_OPERATIONS } from '../../../schema/records/service/monitoring.ts'
import { ALERT_STATES } from '../../../schema/tables/service/monitoring.ts'
import type { AuditLog } from '../../accounting/audit/log.ts'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { networkRefused, operationRefused } from '../../keys/restrictions.ts'
import { invalid } from '../../operations.ts'
import { type Alert, type Alerts, alertOf, type Entry, type Sight } from '../alerts/alerts.ts'
import { type Asked, answerOf, createServe, parsed, type RouteOptions } from './serve.ts'

/** Entries of one alert. */
const MOST_ENTRIES = 1_000

const LIMIT = 'must be a number from 1 to 1000'
const alertsQuery = z
  .object({
    state: z.enum(ALERT_STATES, `must be one of ${ALERT_STATES.join(', ')}`).optional(),
    direction: z.enum(DIRECTIONS, `must be one of ${DIRECTIONS.join(', ')}`).optional(),
    network: z.string().max(32).optional(),
    walletAddress: z.string().max(128).optional(),
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

export type AlertRoutesOptions = RouteOptions & { alerts: Alerts; audit?: AuditLog | undefined }

const UNKNOWN = errorAnswer('NOT_FOUND', 'You have no alert of this id.')

/** What a key may ask about; nothing for a test key, which is told of no changes. */
const sightOf = (caller: Caller): Sight => ({
  networks: NETWORK_CODES.filter((network) => !caller.test && !networkRefused(caller, network)),
  operations: WATCHED_OPERATIONS.filter((operation) => !operationRefused(caller, operation)),
})

const shown = ({ alert: id, address: walletAddress, outcome, created, changed, ...alert }: Alert): AlertShown => ({
  id,
  walletAddress,
  ...alert,
  outcome: outcome === '' ? null : outcome,
  createdAt: timestampOf(created),
  changedAt: timestampOf(changed),
})
const textOf = (text: string): string | null => (text === '' ? null : text)
const told = ({ entry: revision, at, state, outcome, comment, key, author }: Entry): AlertEntry => ({
  revision,
  at: timestampOf(at),
  state,
  outcome: outcome === '' ? null : outcome,
  comment: textOf(comment),
  key: textOf(key),
  author: textOf(author),
})

/** The answer about an alert. The audit log has it under the verdict that it is about. */
const alertAnswerOf = (alert: Alert, entries: readonly Entry[]): Answer => ({
  ...answerOf({ alert: shown(alert), history: entries.map(told) }),
  about: { network: alert.network, address: alert.address, version: alert.change.after?.recordVersion ?? 0 },
})

const conflict = (revision: number): Answer =>
  errorAnswer(
    'CHANGED_MEANWHILE',
    'Something else was done with the alert since you looked at it. Nothing was changed. Read it again.',
    [{ field: 'revision', reason: `is ${revision} by now` }],
  )

export const installAlerts = (app: FastifyInstance, options: AlertRoutesOptions): void => {
  const { context, alerts, audit } = options
  const { route, serve } = createServe(options)

  const page = async ({ request, caller, account }: Asked): Promise<Answer> => {
    const { value, refused } = parsed(alertsQuery, request.query)
    if (refused) return refused
    const { before, ...selection } = value
    const [created, beforeAlert = ''] = before?.split(':') ?? []
    const sight = sightOf(caller)
    const [counts, found] = await Promise.all([
      alerts.counts(account, sight),
      alerts.page(account, sight, {
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

  /** What is asked about an alert of the caller, as far as its key may know it. Each answer is entered into the audit log. */
  const ofAlert = (
    operation: string,
    work: (alert: Alert, entries: Entry[], asked: Asked) => Answer | Promise<Answer>,
  ) =>
    serve(async (asked) => {
      const refused = audit?.refusal()
      if (refused) return refused
      const { id } = asked.request.params as { id: string }
      const entries = await alerts.entries(asked.account, id.slice(0, 64))
      const alert = alertOf(id, entries)
      const sight = sightOf(asked.caller)
      if (!alert || !sight.networks.includes(alert.network) || !sight.operations.includes(alert.operation))
        return UNKNOWN
      const answer = await work(alert, entries, asked)
      const { network, address: walletAddress } = alert
      audit?.note(asked.caller, operation, { network, walletAddress }, answer)
      return answer
    })

  const change = async (alert: Alert, entries: Entry[], { request, caller, account }: Asked): Promise<Answer> => {
    const { value, refused } = parsed(alertChange, request.body)
    if (refused) return refused
    if (value.revision !== alert.revision) return conflict(alert.revision)
    if (entries.length >= MOST_ENTRIES) {
      return invalid([{ path: ['comment'], message: `must not be the entry behind ${MOST_ENTRIES} others` }])
    }
    const comment = value.comment.trim()
    const state = value.state ?? alert.state
    const outcome = value.state === undefined ? alert.outcome : (value.outcome ?? '')
    if (comment === '' && state === alert.state && outcome === alert.outcome) {
      return invalid([{ path: ['state'], message: `is ${state} already` }])
    }
    const addition = { state, outcome, comment, key: caller.id, author: value.author.trim(), at: context.clock.now() }
    const now = await alerts.add(account, alert.alert, entries, addition)
    const changed = now && alertOf(alert.alert, now)
    return changed ? alertAnswerOf(changed, now) : conflict(alert.revision + 1)
  }

  app.get('/alerts', route, serve(page))
  app.get('/alerts/:id', route, ofAlert('alert_get', alertAnswerOf))
  app.post('/alerts/:id', route, ofAlert('alert_change', change))
}
