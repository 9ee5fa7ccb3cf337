/** Dashboards as data; `npm run docs` writes them as Grafana reads them, into `deploy/observability/dashboards`. */

/** Grafana's names of units. */
type Unit = 's' | 'ops' | 'reqps' | 'bytes' | 'short' | 'percentunit'

export type Panel = {
  title: string
  /** What to read from it. */
  description: string
  unit: Unit
  /** Expressions, with the text of their legends. */
  lines: Readonly<Record<string, string>>
}

export type Dashboard = { uid: string; title: string; rows: Readonly<Record<string, readonly Panel[]>> }

const RATE = '[$__rate_interval]'
const p = (quantile: number, metric: string, by = '') =>
  `histogram_quantile(${quantile}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket${RATE})))`

export const DASHBOARDS: readonly Dashboard[] = [
  {
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
          description:
            'Of a shape that is not known (Solana). What they moved is missing, and their blocks are marked.',
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
  },
  {
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
          description: 'Of the partition that has most. Thousands mean that merges do not keep up.',
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
          description: 'By kind and outcome; what was repeated.',
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
          description: 'How long the oldest wallet of the batch at work has waited.',
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
          description: 'Contracts analysed, those that wait, and questions to the service of verified sources.',
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
          description: 'Since the source of a list last confirmed it, and from when on it is outdated.',
          unit: 's',
          lines: {
            '{{source}}': 'time() - max by (source) (assay_label_list_confirmed_timestamp_seconds)',
            '{{source}} outdated': 'max by (source) (assay_label_list_max_age_seconds)',
          },
        },
        {
          title: 'Fetches of label lists',
          description: 'By outcome: refused lists wait for a person.',
          unit: 'short',
          lines: {
            '{{source}} {{outcome}}': 'sum by (source, outcome) (increase(assay_label_updates_total[1d]))',
          },
        },
      ],
    },
  },
  {
    uid: 'assay-service',
    title: 'Assay: API, bus and processes',
    rows: {
      API: [
        {
          title: 'Requests',
          description: 'By operation.',
          unit: 'reqps',
          lines: { '{{operation}}': `sum by (operation) (rate(assay_http_seconds_count${RATE}))` },
        },
        {
          title: 'Server errors',
          description: 'Share of requests that are answered with 5xx. The target is below 0.1 %.',
          unit: 'percentunit',
          lines: {
            share: `sum(rate(assay_http_seconds_count{status=~"5..", outcome!="CATCHING_UP"}${RATE})) / sum(rate(assay_http_seconds_count${RATE}))`,
          },
        },
        {
          title: 'Time of an answer',
          description: 'By operation.',
          unit: 's',
          lines: {
            '{{operation}} p50': p(0.5, 'assay_http_seconds', 'operation'),
            '{{operation}} p99': p(0.99, 'assay_http_seconds', 'operation'),
          },
        },
        {
          title: 'Records in memory',
          description: 'Bytes of records that answer without the store.',
          unit: 'bytes',
          lines: { '{{instance}}': 'assay_memory_record_bytes' },
        },
        {
          title: 'Rate limits',
          description: '1 while limits are shared through Redis; requests that were counted by one process alone.',
          unit: 'short',
          lines: {
            '{{instance}} shared': 'assay_redis_up',
            'counted alone': 'sum(increase(assay_rate_limit_fallbacks_total[1h]))',
          },
        },
        {
          title: 'Screening',
          description: 'Rows of uploaded lists that were answered, per second.',
          unit: 'short',
          lines: { '{{instance}}': 'rate(assay_screen_rows_total[5m])' },
        },
        {
          title: 'Audit log',
          description:
            'Entries that wait to be stored; answers that could not be entered, in an hour. The latter is 0.',
          unit: 'short',
          lines: {
            '{{instance}} waiting': 'assay_audit_waiting',
            lost: 'sum(increase(assay_audit_lost_total[1h]))',
          },
        },
        {
          title: 'Watched addresses',
          description: 'Changed verdicts on watched addresses, in an hour, by direction; and how many are watched.',
          unit: 'short',
          lines: {
            '{{direction}}': 'sum by (direction) (increase(assay_watch_changes_total[1h]))',
            watched: 'max(assay_watch_addresses)',
            'processes that compare': 'sum(assay_monitoring_holds)',
            'records a second': 'sum(rate(assay_watch_records_total[5m]))',
          },
        },
        {
          title: 'Webhooks',
          description: 'Attempts at deliveries per second, by outcome, deliveries given up, and endpoints by state.',
          unit: 'short',
          lines: {
            '{{outcome}}': 'sum by (outcome) (rate(assay_webhook_attempts_total[5m]))',
            'given up': 'sum(rate(assay_webhook_dead_total[5m]))',
            'endpoints {{state}}': 'sum by (state) (assay_webhook_endpoints)',
            'disabled in a day': 'sum(increase(assay_webhook_disabled_total[1d]))',
            'seconds late': 'max(assay_webhook_late_seconds)',
          },
        },
        {
          title: 'Busiest keys',
          description: 'Calls per second of the ten keys that call most.',
          unit: 'short',
          lines: { '{{key}}': 'topk(10, sum by (key) (rate(assay_key_calls_total[5m])))' },
        },
      ],
      Money: [
        {
          title: 'Payments',
          description: 'By outcome.',
          unit: 'short',
          lines: { '{{outcome}}': 'sum by (outcome) (increase(assay_payments_total[1h]))' },
        },
        {
          title: 'Payments to look at',
          description:
            'Without a known outcome, paid without an answer, called settled without a final block, and not paid after all.',
          unit: 'short',
          lines: {
            open: 'max(assay_payments_open)',
            unanswered: 'max(assay_payments_unanswered)',
            unconfirmed: 'max(assay_payments_unconfirmed)',
            disputed: 'max(assay_payments_disputed)',
          },
        },
      ],
      Bus: [
        {
          title: 'Messages sent',
          description: 'By topic.',
          unit: 'ops',
          lines: { '{{topic}}': `sum by (topic) (rate(assay_bus_sent_messages_total${RATE}))` },
        },
        {
          title: 'Bytes',
          description: 'Sent and received.',
          unit: 'bytes',
          lines: {
            'sent {{topic}}': `sum by (topic) (rate(assay_bus_sent_bytes_total${RATE}))`,
            'received {{topic}} {{group}}': `sum by (topic, group) (rate(assay_bus_received_bytes_total${RATE}))`,
          },
        },
        {
          title: 'Time of a send, and errors',
          description: '95th percentile until a send was acknowledged; failures by code.',
          unit: 'short',
          lines: {
            'p95, s': p(0.95, 'assay_bus_send_seconds'),
            '{{code}}': 'sum by (code) (increase(assay_bus_errors_total[5m]))',
          },
        },
      ],
      Processes: [
        {
          title: 'What runs',
          description: 'Version and revision of each process.',
          unit: 'short',
          lines: {
            '{{instance}} {{version}} {{revision}} {{node}}':
              'max by (instance, version, revision, node) (assay_build_info)',
          },
        },
        {
          title: 'Event loop',
          description: 'How long a thread was busy at a time, 99th percentile.',
          unit: 's',
          lines: { '{{instance}} {{thread}}': 'nodejs_eventloop_lag_p99_seconds' },
        },
        {
          title: 'Memory',
          description: 'Resident memory of the process and heap of its threads.',
          unit: 'bytes',
          lines: {
            '{{instance}} resident': 'process_resident_memory_bytes{job="assay"}',
            '{{instance}} {{thread}} heap': 'nodejs_heap_size_used_bytes',
          },
        },
        {
          title: 'Processor',
          description: 'Cores in use.',
          unit: 'short',
          lines: { '{{instance}}': `rate(process_cpu_seconds_total{job="assay"}${RATE})` },
        },
      ],
    },
  },
]

/** Metrics that no dashboard shows, each for a reason. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  assay_authority_logs_total: 'assay_authority_blocks_left shows the same progress',
  assay_past_blocks_total: 'assay_past_seconds shows what they cost',
  assay_source_votes_total: 'votes are left out on purpose',
  assay_indexer_bytes_total: 'assay_bus_sent_bytes_total has the same by topic',
  assay_indexer_head_block: 'assay_height has it as stage head',
  assay_indexer_indexed_block: 'assay_height has it as stage published',
  assay_indexer_finalized_block: 'assay_height has it as stage finalized',
  assay_ingest_head_block: 'assay_height has it as stage stored',
  assay_ingest_settled_block: 'assay_height has it as stage settled',
  assay_stored_height: 'assay_height has it as stage stored',
  assay_memory_records: 'assay_memory_record_bytes is what a limit is set on',
  assay_trace_spans_total: 'of interest where a collector is configured alone',
  assay_store_inserted_bytes_total: 'for looking into one table',
}

const WIDTH = 8
const HEIGHT = 8
const DATASOURCE = { type: 'prometheus', uid: 'prometheus' }

/** The dashboard in Grafana's model: three panels beside each other below the title of their row. */
export const grafanaOf = ({ uid, title, rows }: Dashboard): unknown => {
  const panels: unknown[] = []
  let y = 0
  for (const [name, row] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: name,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    })
    y += 1
    for (const [index, { title, description, unit, lines }] of row.entries()) {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title,
        description,
        datasource: DATASOURCE,
        gridPos: { x: (index % 3) * WIDTH, y: y + Math.floor(index / 3) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
        targets: Object.entries(lines).map(([legendFormat, expr], line) => ({
          refId: String.fromCharCode(65 + line),
          datasource: DATASOURCE,
          expr,
          legendFormat,
        })),
      })
    }
    y += Math.ceil(row.length / 3) * HEIGHT
  }
  return {
    uid,
    title,
    tags: ['assay'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    panels,
  }
}
