/**
 * Writes the bundled sanctioned addresses into a store that has no newer version of their list. Labels carry the date of the
 * list, so newer labels take precedence, and two processes that write at once write the same rows.
 */
import type { Store } from '../../../../platform/store/store.ts'
import { parseAddress } from '../../../../schema/address/index.ts'
import { SANCTIONED } from '../../../../schema/facts/compliance/sanctioned.ts'
import { type Network, parseLabelNetwork } from '../../../../schema/networks.ts'
import { listLabels } from '../../../../scorer/ledger/labels/list.ts'
import { listStates, newestStatement, noteList } from '../../../../scorer/ledger/labels/updates.ts'
import { type Finding, writeLabels } from '../../../../scorer/ledger/labels/write.ts'

const LISTED_AT = Date.parse(SANCTIONED.date)

/** Bundled networks and canonical addresses. @throws RangeError for a malformed address, which is an error in the bundled data */
export const shippedAddresses = (): { network: Network; address: string }[] =>
  Object.entries(SANCTIONED.addresses).flatMap(([name, addresses]) => {
    const network = parseLabelNetwork(name)
    if (!network) throw new RangeError(`${name} is not a network`)
    return addresses.map((text) => {
      const parsed = parseAddress(network, text)
      if (!parsed.ok) throw new RangeError(`${text} of ${network}: ${parsed.reason}`)
      return { network, address: parsed.canonical }
    })
  })

const { list, date, link } = SANCTIONED

const finding = ({ network, address }: { network: Network; address: string }, revoked: boolean): Finding => ({
  network,
  address,
  label: 'sanctioned',
  detector: list,
  class: 'asserted',
  confidence: 1,
  detector_version: date,
  evidence: { list, source: link },
  tx_hash: '',
  block_number: 0,
  revoked,
  foundAt: LISTED_AT,
})

/** Revocations of labels of an older bundled list that this one no longer contains. */
const removed = async (store: Store, named: ReadonlySet<string>): Promise<Finding[]> => {
  const found: Finding[] = []
  const filter = { networks: [], addresses: [], labels: ['sanctioned'], detector: list }
  for await (const row of listLabels(store, filter)) {
    const older = row.found_at * 1_000 < LISTED_AT
    if (older && !named.has(`${row.network} ${row.address}`)) found.push(finding(row, true))
  }
  return found
}

/** Writes the bundled labels, unless the store has this list or a newer one. */
export const shipLabels = async (store: Store): Promise<void> => {
  const before = (await listStates(store)).get(list)
  if (before && before.confirmedAt >= LISTED_AT) return
  if ((await newestStatement(store, list)) > LISTED_AT) return
  const shipped = shippedAddresses()
  const named = new Set(shipped.map(({ network, address }) => `${network} ${address}`))
  const findings = [...shipped.map((place) => finding(place, false)), ...(await removed(store, named))]
  // Addresses are written before their labels: verdicts read labels only of addresses in this table.
  const names = shipped.map((place) => `${JSON.stringify({ ...place, listed: 0 })}\n`).join('')
  await store.insert('labelled_addresses', names)
  await writeLabels(store, findings)
  await noteList(store, list, before, LISTED_AT, { outcome: 'applied', version: date, labels: shipped.length })
}
