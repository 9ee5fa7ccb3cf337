/**
 * Alert rules, each with series for which it fires and series for which it does not. `npm run docs` writes `alerts.yml` for
 * Prometheus and `alerts.test.yml` for promtool. docs/operate/runbooks has a page for each alert.
 */

/** Series with one value per minute, in the notation of promtool: `0+1x10` is 0 followed by ten values, each greater by 1. */
type Series = Readonly<Record<string, string>>

/** A rule with test series. */
export type Alert = {
  /** The problem in two to four words; also the name of the runbook. */
  name: string
  expr: string
  /** Minutes for which the expression has to hold. */
  minutes: number
  /** `page` requires action now, `ticket` within a working day. */
  severity: 'page' | 'ticket'
  summary: string
  /** Series for which it fires after `at` minutes, with these labels. */
  fires: { series: Series; at: number; labels: Readonly<Record<string, string>> }
  /** Similar series for which it must not fire until minute `at`. */
  rests: { series: Series; at: number }
}

/** All rules. Each has a runbook of its name. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'ProcessDown',
    expr: 'up{job="assay"} == 0',
    minutes: 2,
    severity: 'page',
    summary: 'The {{ $labels.role }} at {{ $labels.instance }} does not respond.',
    fires: {
      series: { 'up{job="assay", role="api", instance="api:8080"}': '0x10' },
      at: 3,
      labels: { job: 'assay', role: 'api', instance: 'api:8080' },
    },
    rests: { series: { 'up{job="assay", role="api", instance="api:8080"}': '1 0 1x10' }, at: 4 },
  },
  {
    name: 'NetworkStalled',
    expr: 'max by (network) (assay_stalled) == 1',
    minutes: 2,
    severity: 'page',
    summary: '{{ $labels.network }} is stalled: no new block has reached the tables.',
    fires: { series: { 'assay_stalled{network="ETH"}': '1x10' }, at: 3, labels: { network: 'ETH' } },
    rests: { series: { 'assay_stalled{network="ETH"}': '1 0x10' }, at: 5 },
  },
  {
    name: 'NetworkBehind',
    expr: 'min by (network) (assay_lag_seconds) > 600 unless on (network) max by (network) (assay_stalled) == 1',
    minutes: 15,
    severity: 'ticket',
    summary: 'The tables of {{ $labels.network }} are {{ $value | humanizeDuration }} behind the chain.',
    fires: {
      series: { 'assay_lag_seconds{network="ETH"}': '3600x30', 'assay_stalled{network="ETH"}': '0x30' },
      at: 16,
      labels: { network: 'ETH' },
    },
    rests: {
      series: { 'assay_lag_seconds{network="ETH"}': '3600x30', 'assay_stalled{network="ETH"}': '1x30' },
      at: 20,
    },
  },
  {
    name: 'PartStopped',
    expr: 'max by (network, part) (assay_network_up) == 0',
    minutes: 10,
    severity: 'page',
    summary: '{{ $labels.part }} of {{ $labels.network }} has not been running for ten minutes.',
    fires: {
      series: { 'assay_network_up{network="BNB", part="ingest"}': '0x20' },
      at: 11,
      labels: { network: 'BNB', part: 'ingest' },
    },
    rests: {
      series: {
        'assay_network_up{network="BNB", part="ingest", instance="a"}': '0x20',
        'assay_network_up{network="BNB", part="ingest", instance="b"}': '1x20',
      },
      at: 15,
    },
  },
  {
    name: 'ScoringBehind',
    expr: 'max by (network) (assay_scoring_batch_age_seconds) > 300',
    minutes: 10,
    severity: 'ticket',
    summary: 'Wallets of {{ $labels.network }} have waited {{ $value | humanizeDuration }} to be scored.',
    fires: {
      series: { 'assay_scoring_batch_age_seconds{network="ETH"}': '900x20' },
      at: 11,
      labels: { network: 'ETH' },
    },
    rests: { series: { 'assay_scoring_batch_age_seconds{network="ETH"}': '900x5 1x20' }, at: 12 },
  },
  {
    name: 'DeadLetters',
    expr: 'sum by (network) (increase(assay_ingest_dead_letters_total[15m])) > 0',
    minutes: 0,
    severity: 'page',
    summary: 'Unreadable messages of {{ $labels.network }} became dead letters.',
    fires: {
      series: { 'assay_ingest_dead_letters_total{network="ETH", topic="head.ETH"}': '0 0 1x20' },
      at: 5,
      labels: { network: 'ETH' },
    },
    rests: { series: { 'assay_ingest_dead_letters_total{network="ETH", topic="head.ETH"}': '7x20' }, at: 10 },
  },
  {
    name: 'BlocksMissing',
    expr: 'max by (network) (assay_ingest_gap_blocks) > 0',
    minutes: 10,
    severity: 'page',
    summary: '{{ $value }} blocks of {{ $labels.network }} are missing in the tables.',
    fires: { series: { 'assay_ingest_gap_blocks{network="ETH"}': '12x20' }, at: 11, labels: { network: 'ETH' } },
    rests: { series: { 'assay_ingest_gap_blocks{network="ETH"}': '12x5 0x20' }, at: 12 },
  },
  {
    name: 'NodeFailing',
    expr: 'sum by (network, host) (rate(assay_rpc_errors_total[10m])) > 0.5 * sum by (network, host) (rate(assay_rpc_seconds_count[10m]))',
    minutes: 10,
    severity: 'ticket',
    summary: 'More than half of the calls of {{ $labels.host }} about {{ $labels.network }} fail.',
    fires: {
      series: {
        'assay_rpc_errors_total{network="ETH", host="a", class="limited"}': '0+60x30',
        'assay_rpc_seconds_count{network="ETH", host="a"}': '0+20x30',
      },
      at: 25,
      labels: { network: 'ETH', host: 'a' },
    },
    rests: {
      series: {
        'assay_rpc_errors_total{network="ETH", host="a", class="limited"}': '0+2x30',
        'assay_rpc_seconds_count{network="ETH", host="a"}': '0+60x30',
      },
      at: 25,
    },
  },
  {
    name: 'NodeWrong',
    expr: 'sum by (network, host) (increase(assay_rpc_inconsistent_total[1h])) > 10',
    minutes: 0,
    severity: 'ticket',
    summary: '{{ $labels.host }} returned data about {{ $labels.network }} that contradicts the chain.',
    fires: {
      series: { 'assay_rpc_inconsistent_total{network="ETH", host="a", check="receipts"}': '0+1x60' },
      at: 30,
      labels: { network: 'ETH', host: 'a' },
    },
    rests: {
      series: { 'assay_rpc_inconsistent_total{network="ETH", host="a", check="receipts"}': '0 1 2x60' },
      at: 30,
    },
  },
  {
    name: 'AnswersFail',
    expr: [
      'sum(rate(assay_http_seconds_count{status=~"5..", outcome!="CATCHING_UP"}[1h])) > 0.0144 * sum(rate(assay_http_seconds_count[1h]))',
      'sum(rate(assay_http_seconds_count{status=~"5..", outcome!="CATCHING_UP"}[5m])) > 0.0144 * sum(rate(assay_http_seconds_count[5m]))',
      'sum(rate(assay_http_seconds_count[5m])) > 0.1',
    ].join(' and '),
    minutes: 2,
    severity: 'page',
    summary:
      'More than 1.4 % of requests fail with a server error: at this rate the monthly error budget lasts two days.',
    fires: {
      series: {
        'assay_http_seconds_count{operation="fraud_check", status="503"}': '0+6x90',
        'assay_http_seconds_count{operation="fraud_check", status="200"}': '0+60x90',
      },
      at: 70,
      labels: {},
    },
    rests: {
      series: {
        'assay_http_seconds_count{operation="fraud_check", status="503"}': '0+6x90',
        'assay_http_seconds_count{operation="fraud_check", status="200"}': '0+600x90',
        // Refused by design while a network catches up: NetworkBehind is about that.
        'assay_http_seconds_count{operation="fraud_check", status="503", outcome="CATCHING_UP"}': '0+600x90',
      },
      at: 70,
    },
  },
  {
    name: 'AnswersSlow',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(assay_http_seconds_bucket{operation="fraud_check"}[10m]))) > 1',
    minutes: 10,
    severity: 'ticket',
    summary: 'One in a hundred wallet checks takes more than a second.',
    fires: {
      series: {
        'assay_http_seconds_bucket{operation="fraud_check", le="1"}': '0+10x60',
        'assay_http_seconds_bucket{operation="fraud_check", le="2.5"}': '0+60x60',
        'assay_http_seconds_bucket{operation="fraud_check", le="+Inf"}': '0+60x60',
      },
      at: 30,
      labels: {},
    },
    rests: {
      series: {
        'assay_http_seconds_bucket{operation="fraud_check", le="1"}': '0+60x60',
        'assay_http_seconds_bucket{operation="fraud_check", le="+Inf"}': '0+60x60',
      },
      at: 30,
    },
  },
  {
    name: 'StoreFailing',
    expr: 'sum(rate(assay_store_seconds_count{outcome="error"}[5m])) > 0.05 * sum(rate(assay_store_seconds_count[5m]))',
    minutes: 5,
    severity: 'page',
    summary: 'More than 5 % of store calls fail.',
    fires: {
      series: {
        'assay_store_seconds_count{kind="query", outcome="error"}': '0+10x30',
        'assay_store_seconds_count{kind="query", outcome="ok"}': '0+60x30',
      },
      at: 15,
      labels: {},
    },
    rests: {
      series: {
        'assay_store_seconds_count{kind="query", outcome="error"}': '0+1x30',
        'assay_store_seconds_count{kind="query", outcome="ok"}': '0+60x30',
      },
      at: 15,
    },
  },
  {
    name: 'StoreParts',
    expr: 'max by (table) (assay_store_parts) > 1000',
    minutes: 10,
    severity: 'ticket',
    summary: 'A partition of {{ $labels.table }} has {{ $value }} parts: merges do not keep up.',
    fires: { series: { 'assay_store_parts{table="ledger"}': '1500x20' }, at: 11, labels: { table: 'ledger' } },
    rests: { series: { 'assay_store_parts{table="ledger"}': '900x20' }, at: 15 },
  },
  {
    name: 'BusFailing',
    expr: 'sum by (code) (increase(assay_bus_errors_total[5m])) > 5',
    minutes: 5,
    severity: 'ticket',
    summary: 'Sending to the bus fails with {{ $labels.code }}.',
    fires: {
      series: { 'assay_bus_errors_total{code="ASSAY_BUS_UNAVAILABLE"}': '0+3x30' },
      at: 15,
      labels: { code: 'ASSAY_BUS_UNAVAILABLE' },
    },
    rests: { series: { 'assay_bus_errors_total{code="ASSAY_BUS_UNAVAILABLE"}': '0 3x30' }, at: 15 },
  },
  {
    name: 'LabelsOutdated',
    expr: 'time() - max by (source) (assay_label_list_confirmed_timestamp_seconds) > on (source) max by (source) (assay_label_list_max_age_seconds)',
    minutes: 60,
    severity: 'ticket',
    summary: 'The list {{ $labels.source }} has not been confirmed by its source for too long.',
    fires: {
      series: {
        'assay_label_list_confirmed_timestamp_seconds{source="ofac", instance="a"}': '0x200',
        'assay_label_list_max_age_seconds{source="ofac", instance="a"}': '3600x200',
      },
      at: 122,
      labels: { source: 'ofac' },
    },
    rests: {
      series: {
        'assay_label_list_confirmed_timestamp_seconds{source="ofac", instance="a"}': '0x200',
        'assay_label_list_confirmed_timestamp_seconds{source="ofac", instance="b"}': '0+60x200',
        'assay_label_list_max_age_seconds{source="ofac", instance="a"}': '3600x200',
      },
      at: 150,
    },
  },
  {
    name: 'LimitsNotShared',
    expr: 'min by (instance) (assay_redis_up) == 0',
    minutes: 5,
    severity: 'ticket',
    summary: '{{ $labels.instance }} counts rate limits on its own, because Redis does not respond.',
    fires: {
      series: { 'assay_redis_up{instance="api:8080"}': '0x10' },
      at: 6,
      labels: { instance: 'api:8080' },
    },
    rests: { series: { 'assay_redis_up{instance="api:8080"}': '0x2 1x10' }, at: 8 },
  },
  {
    name: 'PaymentsUnsettled',
    expr: 'max(assay_payments_open) > 0',
    minutes: 30,
    severity: 'ticket',
    summary: 'The outcome of {{ $value }} payments has been unknown for half an hour.',
    fires: { series: { assay_payments_open: '2x60' }, at: 31, labels: {} },
    rests: { series: { assay_payments_open: '2x10 0x60' }, at: 40 },
  },
  {
    name: 'PaymentsUnanswered',
    expr: 'max(assay_payments_unanswered) > 0',
    minutes: 5,
    severity: 'ticket',
    summary: '{{ $value }} callers paid and got no response: they are owed a refund.',
    fires: { series: { assay_payments_unanswered: '1x20' }, at: 6, labels: {} },
    rests: { series: { assay_payments_unanswered: '0x20' }, at: 10 },
  },
  {
    name: 'PaymentsUnconfirmed',
    expr: 'max(assay_payments_unconfirmed) > 0',
    minutes: 30,
    severity: 'ticket',
    summary: '{{ $value }} payments were reported settled more than an hour ago, but no final block contains them.',
    fires: { series: { assay_payments_unconfirmed: '3x60' }, at: 31, labels: {} },
    rests: { series: { assay_payments_unconfirmed: '3x20 0x60' }, at: 60 },
  },
  {
    name: 'PaymentsDisputed',
    expr: 'max(assay_payments_disputed) > 0',
    minutes: 0,
    severity: 'page',
    summary: '{{ $value }} payments of the last day were reported settled, but no money moved.',
    fires: { series: { assay_payments_disputed: '0x5 1x20' }, at: 8, labels: {} },
    rests: { series: { assay_payments_disputed: '0x20' }, at: 10 },
  },
  {
    name: 'MonitoringStopped',
    expr: 'sum(assay_monitoring_holds) == 0',
    minutes: 5,
    severity: 'page',
    summary: 'No process compares verdicts on watched addresses and delivers events.',
    fires: { series: { 'assay_monitoring_holds{instance="a"}': '0x20' }, at: 6, labels: {} },
    rests: {
      series: { 'assay_monitoring_holds{instance="a"}': '0x20', 'assay_monitoring_holds{instance="b"}': '1x20' },
      at: 10,
    },
  },
  {
    name: 'WebhooksLate',
    expr: 'max(assay_webhook_late_seconds) > 300',
    minutes: 5,
    severity: 'ticket',
    summary: 'Events for working endpoints have been overdue for {{ $value | humanizeDuration }}.',
    fires: { series: { assay_webhook_late_seconds: '600x20' }, at: 6, labels: {} },
    rests: { series: { assay_webhook_late_seconds: '600x3 0x20' }, at: 10 },
  },
  {
    name: 'EndpointDisabled',
    expr: 'sum(increase(assay_webhook_disabled_total[1h])) > 0',
    minutes: 0,
    severity: 'ticket',
    summary: 'An endpoint of a customer was disabled, because it failed for three days or responded with 410.',
    fires: { series: { assay_webhook_disabled_total: '0 0 1x30' }, at: 10, labels: {} },
    rests: { series: { assay_webhook_disabled_total: '3x30' }, at: 20 },
  },
  {
    name: 'EventLoopBlocked',
    expr: 'max by (instance, thread) (nodejs_eventloop_lag_p99_seconds) > 1',
    minutes: 5,
    severity: 'ticket',
    summary: 'Thread {{ $labels.thread }} of {{ $labels.instance }} is blocked for more than a second at a time.',
    fires: {
      series: { 'nodejs_eventloop_lag_p99_seconds{instance="api:8080", thread="api"}': '2x20' },
      at: 6,
      labels: { instance: 'api:8080', thread: 'api' },
    },
    rests: { series: { 'nodejs_eventloop_lag_p99_seconds{instance="api:8080", thread="api"}': '0.02x20' }, at: 10 },
  },
]

/** The name of the runbook's file: `ProcessDown` is `process-down`. */
export const runbookOf = ({ name }: Pick<Alert, 'name'>): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
