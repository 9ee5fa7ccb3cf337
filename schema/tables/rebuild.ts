/** Mutual exclusion between the writers of a network's tables and its rebuilds. */
import { instant, network, text, uint32, uint64, word } from './column.ts'
import type { SchemaObject } from './ddl.ts'

const now = { default: 'now64(3)' }

/** Tables for the mutual exclusion between writers of a network and its rebuilds. */
export const rebuildObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'ingest_writers',
    comment: 'Scorers that write the tables of a network. A rebuild waits until none of them is working',
    columns: {
      network,
      writer: text('Identity of the ingest of one process'),
      version: uint64('Grows by one with every row of the writer'),
      state: word('working, waiting (for a rebuild) or ended'),
      seen_at: instant('When the writer last said so: one that has been silent for minutes is dead', now),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'writer'],
  },
  {
    kind: 'table',
    name: 'rebuilds',
    comment: 'Newest rebuild of each network (newest version counts). While one is under way, scorers wait',
    columns: {
      network,
      version: uint64('Grows by one with every state'),
      id: text('Names the rebuild in deduplication tokens'),
      what: word('What it makes again: aggregates, base (some blocks and the aggregates) or bus (everything)'),
      state: word(
        'filling (new tables are filled from the bus, scorers go on), building (new tables are filled, scorers wait), paused (interrupted, scorers go on), exchanging (new tables take the place of the old) or done',
      ),
      position: text('What the tables held when the rebuild began'),
      buckets: uint32('Shares the keys are divided into'),
      steps: uint32('Steps that are complete'),
      seen_at: instant('When the state was entered or confirmed', now),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network'],
    window: 1_000,
  },
]
