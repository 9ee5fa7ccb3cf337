/** Networks: from the chain to the answer, and what nodes answer. */
import { type Dashboard, p, RATE } from './panel.ts'

/** How far each network is, and how its nodes answer. */
export const networks: Dashboard = {
  uid: 'assay-networks',
  title: 'Assay: networks',
  rows: {
    'From the chain to the answer': [
      {
        title: 'Behind the chain',
        description: 'Age of the highest block in the tables. Grows steadily if a network is stalled.',
        unit: 's',
        lines: { '{{network}}': 'min by (network) (assay_lag_seconds)' },
      },
      {
        title: 'Blocks behind the head, by stage',
        description: 'The stage with the highest line is the slow one.',
        unit: 'short',
        lines: {
          '{{network}} {{stage}}':
            'max by (network) (assay_height{stage="head"}) - on (network) group_right () max by (network, stage) (assay_height{stage!="head"})',
        },
      },
      {
        title: 'Block to readable rows',
        description: 'Age of the newest block of a chunk when its rows became readable, 95th percentile.',
        unit: 's',
        lines: { '{{network}} {{tier}}': p(0.95, 'assay_ingest_end_to_end_seconds', 'network, tier') },
      },
      {
        title: 'Running parts',
        description: '1 while a part of a network is running.',
        unit: 'short',
        lines: { '{{network}} {{part}}': 'max by (network, part) (assay_network_up)' },
      },
      {
        title: 'Ready or stalled',
        description: 'Whether verdicts are reliable, and whether the height is stalled.',
        unit: 'short',
        lines: {
          '{{network}} ready': 'min by (network) (assay_network_ready)',
          '{{network}} stalled': 'max by (network) (assay_stalled)',
          '{{network}} indexer stalled': 'max by (network) (assay_indexer_stalled)',
        },
      },
      {
        title: 'Failures and retries',
        description: 'Failed runs of parts by code, and retries of indexer and ingest.',
        unit: 'ops',
        lines: {
          '{{network}} {{part}} {{code}}': `sum by (network, part, code) (rate(assay_network_failures_total${RATE}))`,
          '{{network}} indexer {{code}}': `sum by (network, code) (rate(assay_indexer_retries_total${RATE}))`,
          '{{network}} ingest': `sum by (network) (rate(assay_ingest_retries_total${RATE}))`,
        },
      },
    ],
    Chain: [
      {
        title: 'Blocks published',
        description: 'By topic: history while a network catches up, head afterwards.',
        unit: 'ops',
        lines: { '{{network}} {{topic}}': `sum by (network, topic) (rate(assay_indexer_blocks_total${RATE}))` },
      },
      {
        title: 'Reorgs',
        description: 'Reorgs per hour, and the 90th percentile of their depth.',
        unit: 'short',
        lines: {
          '{{network}} reorgs': 'sum by (network) (increase(assay_indexer_reorgs_total[1h]))',
          '{{network}} depth':
            'histogram_quantile(0.9, sum by (le, network) (increase(assay_indexer_reorg_depth_bucket[1h])))',
        },
      },
      {
        title: 'Blocks without traces',
        description: 'Blocks without traces at any node. Their internal transfers are missing.',
        unit: 'short',
        lines: { '{{network}}': 'sum by (network) (increase(assay_source_blocks_without_traces_total[1h]))' },
      },
      {
        title: 'Blocks read in threads',
        description:
          'While a network catches up. A refused response is handled as without threads; a block whose thread failed is fetched again.',
        unit: 'short',
        lines: {
          '{{network}} {{outcome}}': 'sum by (network, outcome) (increase(assay_source_thread_blocks_total[1h]))',
        },
      },
      {
        title: 'Transactions that could not be read',
        description:
          'Transactions in an unknown format (Solana). Their transfers are missing, and their blocks are marked.',
        unit: 'short',
        lines: { '{{network}}': 'sum by (network) (increase(assay_source_unreadable_transactions_total[1h]))' },
      },
      {
        title: 'Logs of authorities',
        description:
          'Oracles, issuers and mixers with complete logs, all registered ones, and those whose first logs no endpoint has. Flags stay unknown until all are complete.',
        unit: 'short',
        lines: {
          '{{network}} known': 'max by (network) (assay_authority_logs_complete)',
          '{{network}} registered': 'max by (network) (assay_authority_logs_registered)',
          '{{network}} without endpoint': 'max by (network) (assay_authority_logs_missing)',
        },
      },
      {
        title: 'Logs of authorities: blocks left',
        description: 'Blocks whose logs are not read yet. Falls steadily during reading.',
        unit: 'short',
        lines: { '{{network}}': 'max by (network) (assay_authority_blocks_left)' },
      },
      {
        title: 'Logs of authorities: refused and malformed',
        description: 'Ranges that endpoints refused, and malformed logs.',
        unit: 'short',
        lines: {
          '{{network}} {{host}} {{reason}}':
            'sum by (network, host, reason) (increase(assay_authority_refusals_total[1h]))',
          '{{network}} malformed': 'sum by (network) (increase(assay_authority_malformed_total[1h]))',
        },
      },
      {
        title: 'Authorities asked at the head',
        description: 'Calls with calculate: true, by outcome. Without a response flags stay unknown.',
        unit: 'reqps',
        lines: {
          '{{network}} {{outcome}}': `sum by (network, outcome) (rate(assay_authority_questions_total${RATE}))`,
        },
      },
      {
        title: 'Pasts of wallets: fetched',
        description:
          'Wallets whose history before the first covered block was fetched, by outcome, and those being fetched.',
        unit: 'short',
        lines: {
          '{{network}} {{outcome}}': 'sum by (network, outcome) (increase(assay_past_wallets_total[1h]))',
          '{{network}} waiting': 'max by (network) (assay_past_waiting_wallets)',
        },
      },
      {
        title: 'Pasts of wallets: time',
        description: 'Duration of a fetch, including the wait for token logs.',
        unit: 's',
        lines: {
          '{{network}} p50': p(0.5, 'assay_past_seconds', 'network'),
          '{{network}} p99': p(0.99, 'assay_past_seconds', 'network'),
        },
      },
      {
        title: 'Pasts of wallets: ways of finding them',
        description: 'Searches by source and outcome. If a source always fails, check its endpoint and key.',
        unit: 'short',
        lines: {
          '{{network}} {{source}} {{outcome}}':
            'sum by (network, source, outcome) (increase(assay_past_searches_total[1h]))',
        },
      },
      {
        title: 'Pasts of wallets: callers who waited',
        description:
          'Calls with calculate: true for wallets whose past was not fetched yet. Late ones got a response without it, and the wallet is scored again.',
        unit: 'reqps',
        lines: {
          '{{network}} {{outcome}}': `sum by (network, outcome) (rate(assay_past_requests_total${RATE}))`,
        },
      },
      {
        title: 'Calls of nodes, by host',
        description: 'Successful calls, and the rate limit that Assay detected for the host.',
        unit: 'reqps',
        lines: {
          '{{network}} {{host}}': `sum by (network, host) (rate(assay_rpc_requests_total${RATE}))`,
          '{{network}} {{host}} limit': 'max by (network, host) (assay_rpc_limit_requests_per_second)',
        },
      },
      {
        title: 'Failures of nodes, by host',
        description: 'Failed calls by class, and responses that contradict the chain.',
        unit: 'ops',
        lines: {
          '{{network}} {{host}} {{class}}': `sum by (network, host, class) (rate(assay_rpc_errors_total${RATE}))`,
          '{{network}} {{host}} wrong: {{check}}': `sum by (network, host, check) (rate(assay_rpc_inconsistent_total${RATE}))`,
        },
      },
      {
        title: 'Time of a call, by host',
        description: '95th percentile of one POST.',
        unit: 's',
        lines: { '{{network}} {{host}}': p(0.95, 'assay_rpc_seconds', 'network, host') },
      },
    ],
  },
}
