/** Alerts over HTTP: a page of them, one with its history, and what is done with it. Enterprise surface only. */
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
import { type Alert, type Alerts, alertOf, type Behind, type Entry, type Sight } from '../alerts/alerts.ts'
import { type Asked, answerOf, createServe, parsed, type RouteOptions } from './serve.ts'

/** Entries of one alert. */
const MOST_ENTRIES = 1_000
/** Of the histories that one call answers with: of several alerts they are held in memory together, bytes. */
const MOST_BYTES_AT_ONCE = 4 * 2 ** 20

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

/** Where alerts are, and where decisions about them are entered. */
export type AlertRoutesOptions = RouteOptions & {
  alerts: Alerts
  /** Where answers are entered; they are entered nowhere without it. */
  audit?: AuditLog | undefined
}

const UNKNOWN = errorAnswer('NOT_FOUND', 'You have no alert of this id.')

const TOO_LONG = invalid([
  { path: ['alerts'], message: 'must not have so long histories together: change this one by itself, or with fewer' },
])

/** What a key may ask about; nothing for a test key, which is told of no changes. */
const sightOf = (caller: Caller): Sight => ({
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
const told = ({ entry: revision, at, state, outcome, comment, key, author }: Entry): AlertEntry => ({
  revision,
  at: timestampOf(at),
  state,
  outcome: textOf(outcome),
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

/** Adds `/alerts` and what is below it. */
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

  /** The alert of the caller, as far as its key may know it. */
  const visible = (id: string, entries: readonly Entry[], sight: Sight): Alert | undefined => {
    const alert = alertOf(id, entries)
    return alert && sight.networks.includes(alert.network) && sight.operations.includes(alert.operation)
      ? alert
      : undefined
  }

  const one = async ({ request, caller, account }: Asked): Promise<Answer> => {
    const refused = audit?.refusal()
    if (refused) return refused
    const { id } = request.params as { id: string }
    const entries = (await alerts.entries(account, [id])).get(id) ?? []
    const alert = visible(id, entries, sightOf(caller))
    if (!alert) return UNKNOWN
    const answer = alertAnswerOf(alert, entries)
    note('alert_get', caller, alert, answer)
    return answer
  }

  const note = (operation: string, caller: Caller, { network, address }: Alert, answer: Answer): void =>
    audit?.note(caller, operation, { network, walletAddress: address }, answer)

  /** What an entry would be, or why there can be none. */
  const additionTo = (
    alert: Alert,
    seen: readonly Entry[],
    change: AlertChange,
    caller: Caller,
  ): Behind['addition'] | Answer => {
    if (change.revision !== alert.revision) return conflict(alert.revision)
    if (seen.length >= MOST_ENTRIES)
      return invalid([{ path: ['comment'], message: `must not be the entry behind ${MOST_ENTRIES} others` }])
    const comment = change.comment.trim()
    const state = change.state ?? alert.state
    const outcome = change.state === undefined ? alert.outcome : (change.outcome ?? '')
    if (comment === '' && state === alert.state && outcome === alert.outcome)
      return invalid([{ path: ['state'], message: `is ${state} already` }])
    return { state, outcome, comment, key: caller.id, author: change.author.trim(), at: context.clock.now() }
  }

  /** Does something with each of some alerts. An answer for each, entered into the audit log where there is such an alert. */
  const change = async (changes: ReadonlyMap<string, AlertChange>, { caller, account }: Asked): Promise<Answer[]> => {
    const before = await alerts.entries(account, [...changes.keys()])
    const sight = sightOf(caller)
    const decided = [...changes].map(([id, wanted]) => {
      const seen = before.get(id) ?? []
      const alert = visible(id, seen, sight)
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

  const changeOne = async (asked: Asked): Promise<Answer> => {
    const refused = audit?.refusal()
    if (refused) return refused
    const { id } = asked.request.params as { id: string }
    const wanted = parsed(alertChange, asked.request.body)
    if (wanted.refused) return wanted.refused
    const [answer = UNKNOWN] = await change(new Map([[id, wanted.value]]), asked)
    return answer
  }

  const changeSome = async (asked: Asked): Promise<Answer> => {
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
      return place === 0 || bytes <= MOST_BYTES_AT_ONCE
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
