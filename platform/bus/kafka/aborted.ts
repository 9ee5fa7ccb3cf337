/** Which of a partition's records belong to aborted transactions: what brokers leave to the reader to decide. */

/** A transaction that was aborted, as a broker lists it beside the records of a fetch. */
export type Aborted = { producerId: bigint; firstOffset: bigint }

/** What counts of a record or a batch of records. */
export type Written = {
  lastOffset: bigint
  producerId: bigint
  transactional: boolean
  /** What a control record says; undefined for messages. */
  marker: 'commit' | 'abort' | undefined
}

/** Second half of a control record's key: the type, 0 when the transaction was aborted. */
const ABORT = 0

/** Meaning of a control record, by its key. */
export const markerOf = (key: Buffer | null | undefined): 'commit' | 'abort' =>
  key != null && key.length >= 4 && key.readInt16BE(2) === ABORT ? 'abort' : 'commit'

/**
 * Whether each of consecutive records is a committed message, and no marker. A producer's messages are aborted from the first offset of
 * a listed transaction up to the marker that ends it.
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
