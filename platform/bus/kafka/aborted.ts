/** Filters out records of aborted transactions, which brokers leave to the reader. */

/** An aborted transaction, as a broker lists it with the records of a fetch. */
export type Aborted = { producerId: bigint; firstOffset: bigint }

/** The fields of a record or record batch that matter here. */
export type Written = {
  lastOffset: bigint
  producerId: bigint
  transactional: boolean
  /** Type of a control record; undefined for messages. */
  marker: 'commit' | 'abort' | undefined
}

/** Type of an abort marker: the second half of a control record's key. */
const ABORT = 0

/** Type of a control record, by its key. */
export const markerOf = (key: Buffer | null | undefined): 'commit' | 'abort' =>
  key != null && key.length >= 4 && key.readInt16BE(2) === ABORT ? 'abort' : 'commit'

/**
 * For each of consecutive records: whether it is a committed message (not a marker). A producer's messages are aborted from
 * the first offset of a listed transaction up to its marker.
 */
export const committed = (records: readonly Written[], aborted: readonly Aborted[]): boolean[] => {
  const coming = [...aborted].sort((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1))
  const current = new Set<bigint>()
  return records.map(({ lastOffset, producerId, transactional, marker }) => {
    for (let next = coming[0]; next && next.firstOffset <= lastOffset; next = coming[0]) {
      current.add(next.producerId)
      coming.shift()
    }
    if (marker === 'abort') current.delete(producerId)
    return marker === undefined && !(transactional && current.has(producerId))
  })
}
