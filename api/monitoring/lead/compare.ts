/**
 * Compares records of watched addresses with the last compared verdicts. For a change, creates an alert for each watching account and a
 * delivery for each subscribed endpoint. Idempotent: comparing the same records again creates nothing new.
 */
import type { Context } from '../../../platform/context/context.ts'
import type { Network } from '../../../schema/networks.ts'
import type { VerdictChange, VerdictChanged } from '../../../schema/records/service/monitoring.ts'
import { type CatchingUpOf, whileCatchingUp } from '../../answers/catching-up.ts'
import type { Caller } from '../../keys/caller.ts'
import { networkRefused, operationRefused } from '../../keys/restrictions.ts'
import { type Alerts, alertIdOf, type NewAlert } from '../alerts/alerts.ts'
import { createPause } from '../pause.ts'
import { type Change, changeOf } from '../watch/change.ts'
import { subjectKey, type WatchList } from '../watch/list.ts'
import { type Judged, judgedOf, type WatchedRecord, withLastTaxes } from '../watch/verdict.ts'
import { type KnownVerdict, type Verdicts, type VerdictWrite, verdictKey } from '../watch/verdicts.ts'
import { type Deliveries, type Delivery, deliveryIdOf, newDelivery } from '../webhooks/deliveries.ts'
import { type Endpoint, isDisabled } from '../webhooks/endpoints.ts'

/** Dependencies of the comparison. */
export type CompareOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  list: Pick<WatchList, 'watchersOf'>
  verdicts: Verdicts
  alerts: Pick<Alerts, 'create'>
  deliveries: Pick<Deliveries, 'create'>
  catchingUp: CatchingUpOf
  callerOf: (account: string) => Caller | undefined
  /** Known endpoints of an account. */
  endpointsOf: (account: string) => readonly Endpoint[]
}

/** Result of a comparison. */
export type Compared = {
  /** Created deliveries. */
  made: Delivery[]
  /** Endpoints whose deliveries existed already. Their creator may have failed before it sent them. */
  known: ReadonlySet<string>
  /** Networks whose records were skipped because they are catching up. */
  behind: ReadonlySet<Network>
}

/** Whether a key may access the record. Events contain nothing that the key could not request. */
export const mayAccess = (
  caller: Caller | undefined,
  { operation, network }: Pick<WatchedRecord, 'operation' | 'network'>,
): caller is Caller =>
  caller !== undefined && !caller.test && !operationRefused(caller, operation) && !networkRefused(caller, network)

const wants = (endpoint: Endpoint, { operation, network }: WatchedRecord, { direction }: Change): boolean =>
  !isDisabled(endpoint) &&
  endpoint.directions.includes(direction) &&
  (endpoint.operations.length === 0 || endpoint.operations.includes(operation)) &&
  (endpoint.networks.length === 0 || endpoint.networks.includes(network))

/** Whether two verdicts need no new row: differences in version, hash and height are ignored. */
const isSame = (one: Judged | null, other: Judged | null): boolean => {
  const essence = (judged: Judged | null) =>
    judged && [
      judged.verdict.probability,
      judged.verdict.modelVersion,
      judged.verdict.buyTax,
      judged.verdict.sellTax,
      judged.reasons,
      judged.liquidityLocked,
    ]
  return JSON.stringify(essence(one)) === JSON.stringify(essence(other))
}

/** Ids of alerts and deliveries derive from the change, so repeated comparisons create them once. */
export const createCompare = (options: CompareOptions) => {
  const { context, list, verdicts, alerts, deliveries, catchingUp, callerOf, endpointsOf } = options
  const { clock, log, metrics } = context
  const changes = metrics.counter('assay_watch_changes_total', 'Changed verdicts on watched addresses', ['direction'])

  const judge = (record: WatchedRecord): Judged | null | undefined => {
    try {
      return judgedOf(record)
    } catch (err) {
      const { network, operation, version } = record
      log.error({ network, operation, version, err }, 'failed to read a record of a watched address')
      return undefined
    }
  }

  /** Alerts and deliveries of a change, for each watching account whose key may access the record. */
  const eventsOf = (record: WatchedRecord, change: Change, known: KnownVerdict | undefined, accounts: string[]) => {
    const { operation, network, address } = record
    const now = clock.now()
    const verdictChange: VerdictChange = { network, address, operation, ...change }
    const about = [operation, network, address, known?.version ?? 0, record.version]
    return accounts
      .filter((account) => mayAccess(callerOf(account), record))
      .map((account) => {
        const alert = change.direction === 'neutral' ? null : alertIdOf(account, ...about)
        const made: NewAlert[] = alert === null ? [] : [{ account, alert, created: now, change: verdictChange }]
        const timestamp = new Date(now).toISOString()
        const event: VerdictChanged = { type: 'verdict.changed', timestamp, data: { ...verdictChange, alert } }
        const body = JSON.stringify(event)
        const deliveries = endpointsOf(account)
          .filter((endpoint) => wants(endpoint, record, change))
          .map(({ id: endpoint }) => {
            const id = deliveryIdOf(endpoint, ...about)
            return newDelivery(now, { endpoint, id, account, type: 'verdict.changed', network, operation, body })
          })
        return { alerts: made, deliveries }
      })
  }

  return async (records: readonly WatchedRecord[]): Promise<Compared> => {
    const behind = new Set<Network>()
    const watchers = await list.watchersOf(records)
    const watched = records.filter((record) => watchers.has(subjectKey(record)))
    const before = await verdicts.known(watched)
    const made: Delivery[] = []
    const raised: NewAlert[] = []
    const written: VerdictWrite[] = []
    const counted: Change[] = []
    const pause = createPause()
    for (const record of watched) {
      const known = before.get(verdictKey(record))
      if (known && known.version >= record.version) continue
      await pause()
      const { operation, network, body } = record
      const read = judge(record)
      if (read === undefined) continue
      const judged = withLastTaxes(known?.judged ?? null, read)
      if (whileCatchingUp(catchingUp(network), operation, network, judged ? body : undefined)) {
        behind.add(network)
        continue
      }
      const change = changeOf(known?.judged ?? null, judged)
      if (change) {
        counted.push(change)
        for (const events of eventsOf(record, change, known, watchers.get(subjectKey(record)) ?? [])) {
          raised.push(...events.alerts)
          made.push(...events.deliveries)
        }
      }
      if (change || !isSame(known?.judged ?? null, judged)) {
        const { address, version } = record
        written.push({ operation, network, address, version, judged })
      }
    }
    // Alerts and deliveries come first: if the process dies before the verdicts are written, the change is detected again.
    await alerts.create(raised)
    const fresh = await deliveries.create(made)
    await verdicts.write(written)
    for (const { direction } of counted) changes.inc({ direction })
    const isFresh = new Set(fresh)
    const repeated = made.filter((delivery) => !isFresh.has(delivery)).map(({ endpoint }) => endpoint)
    return { made: fresh, known: new Set(repeated), behind }
  }
}
/** Compares records of watched addresses. */
export type Compare = ReturnType<typeof createCompare>
