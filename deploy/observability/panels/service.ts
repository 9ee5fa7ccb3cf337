/** The service: answers, money, the bus, and the processes themselves. */
import { type Dashboard, p, RATE } from './panel.ts'

/** What callers meet, and what processes take. */
export const service: Dashboard = {
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
        description: 'Entries that wait to be stored; answers that could not be entered, in an hour. The latter is 0.',
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
}
