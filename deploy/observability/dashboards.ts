/** Dashboards as data; `npm run docs` writes them as Grafana reads them, into `deploy/observability/dashboards`. */

import { networks } from './panels/networks.ts'
import type { Dashboard } from './panels/panel.ts'
import { scoring } from './panels/scoring.ts'
import { service } from './panels/service.ts'

/** All dashboards, in the order of their files. */
export const DASHBOARDS: readonly Dashboard[] = [networks, scoring, service]

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
