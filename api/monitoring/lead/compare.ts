/**
 * Records to alerts and deliveries: compares the records of watched addresses with what was known of them, makes an alert for each account
 * that watches, and a delivery for each endpoint that wants to know. Comparing the same records again makes the same ones, and those only
 * once.
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

/** What is known of watched addresses, and what is made where it changes. */
export type CompareOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  list: Pick<WatchList, 'watchersOf'>
  verdicts: Verdicts
  alerts: Pick<Alerts, 'create'>
  deliveries: Pick<Deliveries, 'create'>
  catchingUp: CatchingUpOf
  callerOf: (account: string) => Caller | undefined
  /** Endpoints of an account, as they are known now. */
  endpointsOf: (account: string) => readonly Endpoint[]
}

/** What came of a comparison. */
export type Compared = {
  /** Deliveries that were made. */
  made: Delivery[]
  /** Endpoints whose deliveries had been made already: whoever made them may have failed before they were sent. */
  known: ReadonlySet<string>
  /** Networks whose records were passed over, because they catch up. */
  behind: ReadonlySet<Network>
}

/** Whether a key may ask about what a record says: nobody is told more than the key could ask for. */
export const mayKnow = (
  caller: Caller | undefined,
  { operation, network }: Pick<WatchedRecord, 'operation' | 'network'>,
): caller is Caller =>
  caller !== undefined && !caller.test && !operationRefused(caller, operation) && !networkRefused(caller, network)

const wants = (endpoint: Endpoint, { operation, network }: WatchedRecord, { direction }: Change): boolean =>
  !isDisabled(endpoint) &&
  endpoint.directions.includes(direction) &&
  (endpoint.operations.length === 0 || endpoint.operations.includes(operation)) &&
  (endpoint.networks.length === 0 || endpoint.networks.includes(network))

/** What differs between two records with the same verdict is not worth a row: versions, hashes, heights. */
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

/** Compares once, however often it is repeated: ids of what it makes follow from the change. */
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

  /** What a change makes for each account that watches the address and may know of it. */
  const tellingsOf = (record: WatchedRecord, change: Change, known: KnownVerdict | undefined, accounts: string[]) => {
    const { operation, network, address } = record
    const now = clock.now()
    const told: VerdictChange = { network, address, operation, ...change }
    const about = [operation, network, address, known?.version ?? 0, record.version]
    return accounts
      .filter((account) => mayKnow(callerOf(account), record))
      .map((account) => {
        const alert = change.direction === 'neutral' ? null : alertIdOf(account, ...about)
        const made: NewAlert[] = alert === null ? [] : [{ account, alert, created: now, change: told }]
        const timestamp = new Date(now).toISOString()
        const event: VerdictChanged = { type: 'verdict.changed', timestamp, data: { ...told, alert } }
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
        for (const told of tellingsOf(record, change, known, watchers.get(subjectKey(record)) ?? [])) {
          raised.push(...told.alerts)
          made.push(...told.deliveries)
        }
      }
      if (change || !isSame(known?.judged ?? null, judged)) {
        const { address, version } = record
        written.push({ operation, network, address, version, judged })
      }
    }
    // First what is to be told: a process that ends in between finds the change again.
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
