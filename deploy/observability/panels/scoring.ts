/** Tables and scoring: what ingest stores, what the queue takes, how old labels are. */
import { type Dashboard, p, RATE } from './panel.ts'

/** What goes into tables, and how far scoring is behind them. */
export const scoring: Dashboard = {
  uid: 'assay-scoring',
  title: 'Assay: tables and scoring',
  rows: {
    Tables: [
      {
        title: 'Rows stored',
        description: 'By tier.',
        unit: 'ops',
        lines: { '{{network}} {{tier}}': `sum by (network, tier) (rate(assay_ingest_rows_total${RATE}))` },
      },
      {
        title: 'Messages waiting',
        description: 'Not committed yet.',
        unit: 'short',
        lines: { '{{network}} {{topic}}': 'sum by (network, topic) (assay_ingest_lag_messages)' },
      },
      {
        title: 'Time of a chunk',
        description: 'From announcing a chunk to closing it, 95th percentile.',
        unit: 's',
        lines: { '{{network}} {{tier}}': p(0.95, 'assay_ingest_chunk_seconds', 'network, tier') },
      },
      {
        title: 'Missing blocks and dead letters',
        description: 'Both should be 0.',
        unit: 'short',
        lines: {
          '{{network}} missing blocks': 'max by (network) (assay_ingest_gap_blocks)',
          '{{network}} dead letters': 'sum by (network) (increase(assay_ingest_dead_letters_total[1h]))',
          'served counts': 'sum(increase(assay_served_dead_letters_total[1h]))',
        },
      },
      {
        title: 'Parts of a partition',
        description: 'Maximum per partition. Thousands mean that merges do not keep up.',
        unit: 'short',
        lines: { '{{table}}': 'topk(10, max by (table) (assay_store_parts))' },
      },
      {
        title: 'Size of tables',
        description: 'On disk.',
        unit: 'bytes',
        lines: { '{{table}}': 'topk(10, max by (table) (assay_store_bytes))' },
      },
      {
        title: 'Rows of tables',
        description: 'Rows stored, before they are merged.',
        unit: 'short',
        lines: { '{{table}}': 'topk(10, max by (table) (assay_store_rows))' },
      },
      {
        title: 'Calls of the store',
        description: 'By kind and outcome, and retries.',
        unit: 'ops',
        lines: {
          '{{kind}} {{outcome}}': `sum by (kind, outcome) (rate(assay_store_seconds_count${RATE}))`,
          '{{kind}} repeated': `sum by (kind) (rate(assay_store_retries_total${RATE}))`,
        },
      },
      {
        title: 'Time of queries',
        description: '95th percentile, the ten slowest.',
        unit: 's',
        lines: { '{{route}}': `topk(10, ${p(0.95, 'assay_store_seconds', 'route')})` },
      },
    ],
    Scoring: [
      {
        title: 'Age of the queue',
        description: 'Waiting time of the oldest wallet in the current batch.',
        unit: 's',
        lines: { '{{network}}': 'max by (network) (assay_scoring_batch_age_seconds)' },
      },
      {
        title: 'Wallets scored',
        description: 'By status of the verdict, and records stored by the stream.',
        unit: 'ops',
        lines: {
          '{{network}} {{status}}': `sum by (network, status) (rate(assay_rescored_wallets_total${RATE}))`,
          '{{network}} stored': `sum by (network) (rate(assay_scored_records_total${RATE}))`,
        },
      },
      {
        title: 'Time of a batch and of a profile',
        description: '95th percentile.',
        unit: 's',
        lines: {
          '{{network}} batch': p(0.95, 'assay_rescore_seconds', 'network'),
          '{{network}} profile': p(0.95, 'assay_profile_seconds', 'network'),
        },
      },
      {
        title: 'Contracts',
        description: 'Contracts analysed, waiting contracts, and lookups of verified sources.',
        unit: 'short',
        lines: {
          '{{network}} analysed an hour': 'sum by (network) (increase(assay_contract_analyses_total[1h]))',
          '{{network}} waiting': 'max by (network) (assay_contract_backlog)',
          'sources {{outcome}}': 'sum by (outcome) (increase(assay_source_lookups_total[1h]))',
        },
      },
      {
        title: 'Time of a contract analysis',
        description: '95th percentile.',
        unit: 's',
        lines: { '{{network}}': p(0.95, 'assay_contract_analysis_seconds', 'network') },
      },
      {
        title: 'Age of label lists',
        description: 'Time since the source of a list last confirmed it, and the age at which it is outdated.',
        unit: 's',
        lines: {
          '{{source}}': 'time() - max by (source) (assay_label_list_confirmed_timestamp_seconds)',
          '{{source}} outdated': 'max by (source) (assay_label_list_max_age_seconds)',
        },
      },
      {
        title: 'Fetches of label lists',
        description: 'By outcome. Refused lists have to be reviewed.',
        unit: 'short',
        lines: {
          '{{source}} {{outcome}}': 'sum by (source, outcome) (increase(assay_label_updates_total[1d]))',
        },
      },
    ],
  },
}
