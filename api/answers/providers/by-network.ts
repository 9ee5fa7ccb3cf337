import type { Network } from '../../../schema/networks.ts'
import { keyOf, type Subject } from './provider.ts'

/**
 * Reads rows of many subjects, in their order. One query per network, because the tables are sorted by it; batches rarely
 * have more than one. Of several rows of an address the last one counts.
 */
export const byNetwork = async <Row extends { address: string }>(
  subjects: readonly Subject[],
  read: (network: Network, addresses: string[]) => Promise<Row[]>,
): Promise<(Row | undefined)[]> => {
  const addresses = new Map<Network, string[]>()
  for (const { network, address } of subjects) {
    const known = addresses.get(network)
    if (known) known.push(address)
    else addresses.set(network, [address])
  }
  const found = new Map<string, Row>()
  const readOne = async ([network, wanted]: [Network, string[]]) => {
    for (const row of await read(network, wanted)) found.set(keyOf({ network, address: row.address }), row)
  }
  await Promise.all([...addresses].map(readOne))
  return subjects.map((subject) => found.get(keyOf(subject)))
}
