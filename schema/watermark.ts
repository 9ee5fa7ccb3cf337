/**
 * The watermark of a network: which blocks readers take from the final tier. Ingest writes it, the ledger reads it. States:
 *
 * - `settled`: nothing is in flight;
 * - `moving`: blocks settled+1..target are on their way from hot to final;
 * - `undoing`: hot blocks from target on are being withdrawn and replaced;
 * - `rebuilding`: a rebuild puts new tables in the place of the old ones.
 *
 * A network whose blocks are final at once has a watermark only since its first rebuild, and only for its state.
 *
 * Every state is a row of table `watermarks` with the next version, so that it serves readers of several tables as a seqlock.
 */
export type WatermarkState = 'settled' | 'moving' | 'undoing' | 'rebuilding'
