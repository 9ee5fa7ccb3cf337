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
        description: 'Age of the highest block in the tables. Grows steadily where a network stands still.',
        unit: 's',
        lines: { '{{network}}': 'min by (network) (assay_lag_seconds)' },
      },
      {
        title: 'Blocks behind the head, by stage',
        description: 'The stage whose line is highest is the one that is slow.',
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
        title: 'Parts at work',
        description: '1 while a part of a network is at work.',
        unit: 'short',
        lines: { '{{network}} {{part}}': 'max by (network, part) (assay_network_up)' },
      },
      {
        title: 'Ready or standing still',
        description: 'Whether verdicts can be relied on, and whether the height stands still.',
        unit: 'short',
        lines: {
          '{{network}} ready': 'min by (network) (assay_network_ready)',
          '{{network}} stalled': 'max by (network) (assay_stalled)',
          '{{network}} indexer stalled': 'max by (network) (assay_indexer_stalled)',
        },
      },
      {
        title: 'Failures and retries',
        description: 'Runs of a part that failed, by code, and what indexer and ingest did again.',
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
        description: 'Reorgs that were followed, and how deep the deepest tenth was.',
        unit: 'short',
        lines: {
          '{{network}} reorgs': 'sum by (network) (increase(assay_indexer_reorgs_total[1h]))',
          '{{network}} depth':
            'histogram_quantile(0.9, sum by (le, network) (increase(assay_indexer_reorg_depth_bucket[1h])))',
        },
      },
      {
        title: 'Blocks without traces',
        description: 'Blocks that no node had traces of. Internal transfers are missing there.',
        unit: 'short',
        lines: { '{{network}}': 'sum by (network) (increase(assay_source_blocks_without_traces_total[1h]))' },
      },
      {
        title: 'Blocks read in threads',
        description:
          'While an index catches up. A refused answer is judged as without threads; a block whose thread failed is asked for again.',
        unit: 'short',
        lines: {
          '{{network}} {{outcome}}': 'sum by (network, outcome) (increase(assay_source_thread_blocks_total[1h]))',
        },
      },
      {
        title: 'Transactions that could not be read',
        description: 'Of a shape that is not known (Solana). What they moved is missing, and their blocks are marked.',
        unit: 'short',
        lines: { '{{network}}': 'sum by (network) (increase(assay_source_unreadable_transactions_total[1h]))' },
      },
      {
        title: 'Logs of authorities',
        description:
          'Oracles, issuers and mixers whose logs are known from their first block, of all registered; and those whose beginning no endpoint has. Until all are known, flags stay open.',
        unit: 'short',
        lines: {
          '{{network}} known': 'max by (network) (assay_authority_logs_complete)',
          '{{network}} registered': 'max by (network) (assay_authority_logs_registered)',
          '{{network}} without endpoint': 'max by (network) (assay_authority_logs_missing)',
        },
      },
      {
        title: 'Logs of authorities: blocks left',
        description: 'Blocks whose logs are not read yet. Falls steadily while they are being read.',
        unit: 'short',
        lines: { '{{network}}': 'max by (network) (assay_authority_blocks_left)' },
      },
      {
        title: 'Logs of authorities: refused and malformed',
        description: 'Ranges that endpoints refused, and logs of another shape than theirs.',
        unit: 'short',
        lines: {
          '{{network}} {{host}} {{reason}}':
            'sum by (network, host, reason) (increase(assay_authority_refusals_total[1h]))',
          '{{network}} malformed': 'sum by (network) (increase(assay_authority_malformed_total[1h]))',
        },
      },
      {
        title: 'Authorities asked at the head',
        description: 'By calculate: true, by outcome. Unanswered questions leave flags open.',
        unit: 'reqps',
        lines: {
          '{{network}} {{outcome}}': `sum by (network, outcome) (rate(assay_authority_questions_total${RATE}))`,
        },
      },
      {
        title: 'Pasts of wallets: fetched',
        description:
          'Wallets whose past from before the first covered block was asked for, by what became of it, and those being fetched.',
        unit: 'short',
        lines: {
          '{{network}} {{outcome}}': 'sum by (network, outcome) (increase(assay_past_wallets_total[1h]))',
          '{{network}} waiting': 'max by (network) (assay_past_waiting_wallets)',
        },
      },
      {
        title: 'Pasts of wallets: time',
        description: 'From the beginning of a fetch to its end, with the wait for logs of tokens.',
        unit: 's',
        lines: {
          '{{network}} p50': p(0.5, 'assay_past_seconds', 'network'),
          '{{network}} p99': p(0.99, 'assay_past_seconds', 'network'),
        },
      },
      {
        title: 'Pasts of wallets: ways of finding them',
        description:
          'Searches by way and outcome. A way that fails all the time wants its endpoint or its key checked.',
        unit: 'short',
        lines: {
          '{{network}} {{source}} {{outcome}}':
            'sum by (network, source, outcome) (increase(assay_past_searches_total[1h]))',
        },
      },
      {
        title: 'Pasts of wallets: callers who waited',
        description:
          'Calls with calculate: true for wallets with an open past. Late ones got an answer without it, and the wallet is scored again.',
        unit: 'reqps',
        lines: {
          '{{network}} {{outcome}}': `sum by (network, outcome) (rate(assay_past_requests_total${RATE}))`,
        },
      },
      {
        title: 'Calls of nodes, by host',
        description: 'Answered calls, and the limit that Assay found for the host.',
        unit: 'reqps',
        lines: {
          '{{network}} {{host}}': `sum by (network, host) (rate(assay_rpc_requests_total${RATE}))`,
          '{{network}} {{host}} limit': 'max by (network, host) (assay_rpc_limit_requests_per_second)',
        },
      },
      {
        title: 'Failures of nodes, by host',
        description: 'Failed calls by class, and answers that contradict the chain.',
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
