/** Alerts over HTTP: changed verdicts on watched addresses, and their review. */
import { z } from 'zod'
import { NETWORK_CODES } from '../../networks.ts'
import { ALERT_OUTCOMES, ALERT_STATES } from '../../tables/service/monitoring.ts'
import { isWellFormed } from '../../text.ts'
import { timestamp } from '../common.ts'
import { errorBody } from '../error.ts'
import { verdictChange, WATCHED_OPERATIONS } from './monitoring.ts'

/** Maximum length of a comment, in characters. */
export const MAX_COMMENT = 4_000
const MAX_AUTHOR = 100

const state = z.enum(ALERT_STATES, `must be one of ${ALERT_STATES.join(', ')}`)
const outcome = z.enum(ALERT_OUTCOMES, `must be one of ${ALERT_OUTCOMES.join(', ')}`)

const STATE = 'open, under_review or closed'
const OUTCOME =
  'What a closed alert came to. false_positive: the change is wrong; no_action: it is right, and nothing follows; restricted: the customer or address was restricted; reported: it was reported to an authority'
const REVISION = 'Number of its last entry'

const success = z.literal('Success').meta({ description: 'Result status message' })

const alert = z.object({
  id: z.string().meta({ description: 'Id of the alert', example: 'alert_5d41402abc4b2a76b9719d91' }),
  network: z.enum(NETWORK_CODES).meta({ description: 'Network of the address' }),
  walletAddress: z.string().meta({
    description: 'The watched address, in canonical spelling',
    example: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
  }),
  operation: z.enum(WATCHED_OPERATIONS).meta({ description: 'Operation whose verdict changed' }),
  state: state.meta({ description: STATE }),
  outcome: outcome.nullable().meta({ description: OUTCOME }),
  revision: z.int().meta({ description: REVISION, example: 2 }),
  comments: z.int().meta({ description: 'Entries with a comment' }),
  key: z.string().nullable().meta({
    description: 'Id of the key that made its last entry; null while nothing was done',
    example: 'key_0123456789ab',
  }),
  author: z.string().nullable().meta({
    description: 'Name given with its last entry: the person who reviews or closed it. It is not verified',
    example: 'M. Berger',
  }),
  createdAt: timestamp.meta({ description: 'When the change was noticed' }),
  changedAt: timestamp.meta({ description: 'When its last entry was made' }),
  change: verdictChange,
})
/** An alert. */
export const alertShown = alert.meta({ id: 'Alert', description: 'A change of a verdict, and what became of it' })
/** An alert for its owner: the change, its state, and who works on it. */
export type AlertShown = z.output<typeof alertShown>

const entry = z
  .object({
    revision: z.int().meta({ description: 'Number of the entry; 0 is the change itself' }),
    at: timestamp.meta({ description: 'When it was made' }),
    state: state.meta({ description: 'State from this entry on' }),
    outcome: outcome.nullable().meta({ description: 'Outcome from this entry on' }),
    comment: z
      .string()
      .nullable()
      .meta({ description: 'Text of the entry; null where only the state changed', example: 'Asked the customer.' }),
    key: z
      .string()
      .nullable()
      .meta({ description: 'Id of the key that wrote it; null for entry 0', example: 'key_0123456789ab' }),
    author: z
      .string()
      .nullable()
      .meta({ description: 'Name of the author, as given. It is not verified', example: 'M. Berger' }),
  })
  .meta({ id: 'AlertEntry', description: 'Something that was done with an alert' })
/** One entry of an alert's history. `revision` 0 is the change itself. */
export type AlertEntry = z.output<typeof entry>

/** Possible changes to an alert. */
const done = {
  state: state.optional().meta({ description: 'The state from now on; it stays without one', example: 'closed' }),
  outcome: outcome.optional().meta({
    description: `${OUTCOME}. Required with state closed, and with no other`,
    example: 'false_positive',
  }),
  comment: z
    .string()
    .max(MAX_COMMENT, `must not be longer than ${MAX_COMMENT} characters`)
    .refine(isWellFormed, 'must be well-formed text')
    .optional()
    .default('')
    .meta({ description: 'Note to store with it, plain text', example: 'The label was withdrawn.' }),
  author: z
    .string()
    .max(MAX_AUTHOR, `must not be longer than ${MAX_AUTHOR} characters`)
    .refine(isWellFormed, 'must be well-formed text')
    .optional()
    .default('')
    .meta({ description: 'Your name, shown beside the key. It is not verified', example: 'M. Berger' }),
}
const revision = z.int().min(0).meta({
  description:
    'Number of the last entry that you have seen. Where there is a newer one the answer is 409, and nothing is changed',
  example: 1,
})

/** Checks that apply to all changes of alerts. */
const ofDone = <S extends z.ZodType<{ state?: unknown; outcome?: unknown; comment: string }>>(schema: S) =>
  schema
    .refine(({ state: to, outcome: of }) => (to === 'closed') === (of !== undefined), {
      path: ['outcome'],
      error: 'is required with state closed, and with no other',
    })
    .refine(({ state: to, comment }) => to !== undefined || comment.trim() !== '', {
      path: ['comment'],
      error: 'either state or comment is required',
    })

/** Body of POST /alerts/{id}. */
export const alertChange = ofDone(z.object({ revision, ...done })).meta({
  id: 'AlertChange',
  description: 'Change of an alert',
})
/** A requested change to an alert. `revision` guards against concurrent changes. */
export type AlertChange = z.output<typeof alertChange>

/** Maximum number of alerts in one POST /alerts. */
const MAX_AT_ONCE = 200

/** Body of POST /alerts. */
export const alertsChange = ofDone(
  z.object({
    alerts: z
      .array(
        z.object({
          id: z.string().max(64).meta({ description: 'Id of the alert', example: 'alert_5d41402abc4b2a76b9719d91' }),
          revision,
        }),
      )
      .min(1, 'must not be empty')
      .max(MAX_AT_ONCE, `must not have more than ${MAX_AT_ONCE} entries`)
      .refine((alerts) => new Set(alerts.map(({ id }) => id)).size === alerts.length, 'must name no alert twice')
      .meta({ description: `Alerts, ${MAX_AT_ONCE} at most, each with the last entry that you have seen` }),
    ...done,
  }),
).meta({ id: 'AlertsChange', description: 'Changes of several alerts' })

/** Answer about one alert. */
export const alertAnswer = z
  .object({
    message: success,
    alert: alertShown,
    history: z.array(entry).meta({ description: 'Everything that was done with it, the change itself first' }),
  })
  .meta({ id: 'AlertAnswer', description: 'An alert with its history' })

/** Answer of POST /alerts. */
export const alertsChanged = z
  .object({
    message: success,
    results: z
      .array(
        z
          .object({
            index: z.int().meta({ description: 'Place in the request' }),
            status: z.int().meta({ description: 'What POST /alerts/{id} would have answered' }),
            result: z
              .union([alertAnswer, errorBody])
              .meta({ description: 'Its body: the alert with its history, or an error' }),
          })
          .meta({ id: 'AlertsChangedItem', description: 'What came of it for one alert' }),
      )
      .meta({ description: 'One for each alert, in their order' }),
  })
  .meta({ id: 'AlertsChanged', description: 'What came of it for each alert' })

/** Answer of GET /alerts. */
export const alertsAnswer = z
  .object({
    message: success,
    counts: z
      .object({
        open: z.int().meta({ description: 'Alerts that are open' }),
        under_review: z.int().meta({ description: 'Alerts that are under review' }),
        closed: z.int().meta({ description: 'Alerts that are closed' }),
      })
      .meta({ id: 'AlertCounts', description: 'Your alerts by state, regardless of the page' }),
    alerts: z.array(alertShown).meta({ description: 'Newest first' }),
    next: z.string().nullable().meta({ description: '`before` of the next page; null on the last one' }),
  })
  .meta({ id: 'Alerts', description: 'A page of your alerts' })
