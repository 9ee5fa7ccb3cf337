/**
 * The watermark of a network: the block up to which readers use the final tier. Ingest writes it, the ledger reads it. States:
 *
 * - `settled`: nothing is in flight;
 * - `moving`: blocks settled+1..target are being moved from hot to final;
 * - `undoing`: hot blocks from target on are being withdrawn and replaced;
 * - `rebuilding`: a rebuild is exchanging tables.
 *
 * A network whose blocks are final at once only has a watermark since its first rebuild, and only for its state.
 *
 * Every state is a row of table `watermarks` with the next version, so that it is a seqlock for readers of several tables.
 */
export type WatermarkState = 'settled' | 'moving' | 'undoing' | 'rebuilding'
