import type { Metrics } from '../../platform/context/metrics.ts'

/** Buckets from sub-second chains to history, in seconds between a block's time and its rows being readable. */
const END_TO_END = [0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 300, 3_600, 86_400]

/** The metrics of ingest. Alert rules and dashboards use their names. */
export const ingestMetrics = (metrics: Metrics) => ({
  rows: metrics.counter('assay_ingest_rows_total', 'Rows put into tables', ['network', 'tier']),
  chunkSeconds: metrics.histogram('assay_ingest_chunk_seconds', 'From announcing a chunk to closing it', [
    'network',
    'tier',
  ]),
  endToEnd: metrics.histogram(
    'assay_ingest_end_to_end_seconds',
    'Age of the newest block of a chunk when its rows became readable',
    ['network', 'tier'],
    END_TO_END,
  ),
  lag: metrics.gauge('assay_ingest_lag_messages', 'Messages not committed yet', ['network', 'topic']),
  head: metrics.gauge('assay_ingest_head_block', 'Newest block whose rows are readable', ['network']),
  settled: metrics.gauge('assay_ingest_settled_block', 'Watermark between hot and final tier', ['network']),
  gap: metrics.gauge('assay_ingest_gap_blocks', 'Blocks missing among those the tables have to hold', ['network']),
  retries: metrics.counter('assay_ingest_retries_total', 'Chunks and moves that have to be done again', ['network']),
  deadLetters: metrics.counter('assay_ingest_dead_letters_total', 'Messages set aside', ['network', 'topic']),
})
