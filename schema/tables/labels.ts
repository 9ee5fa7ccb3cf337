/** Findings about addresses, with detector, confidence and evidence. A retraction is a newer version of the same finding. */

import { bare, TOKENS_REMEMBERED } from './chain/tiers.ts'
import { column, flag, instant, network, text, time, uint32, uint64, word } from './column.ts'
import type { SchemaObject } from './ddl.ts'

const ZSTD = { codec: 'ZSTD(1)' }
const confidence = column<number>('Float32', '0 to 1; 0.9 and more raises flags')

const finding = {
  network,
  address: text('Canonical address'),
  label: word('What was found: honeypot, rug_executed, fake_token, drainer, phishing, service, darknet, ...'),
  detector: word('Detector of ours, or imported source, that found it; named in data_source'),
}
const details = {
  class: word(
    'asserted (by an authority), reported (by an imported list), detected (by a rule over indexed data) or propagated (follows from other labels)',
  ),
  confidence,
  detector_version: word('Version of the rule or of the imported list'),
  evidence: text('JSON: transactions, counterparties, amounts the finding rests on', ZSTD),
  tx_hash: text('Transaction that shows it best; empty for none', { default: "''", ...ZSTD }),
  block_number: uint32('Height at which it was found; 0 for imported labels', { default: '0' }),
}
const found_at = time('When it was found or taken back')

const LISTING_EVENTS = "event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize')"
const newest = (name: string) => `argMax(l.${name}, l.version) AS ${name}`

/** Tables and views of labels, their sources and retractions. */
export const labelObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'address_labels',
    comment: 'Findings about addresses. Read through current_labels',
    columns: {
      ...finding,
      ...details,
      revoked: flag('1 when the finding was taken back', { default: '0' }),
      found_at,
      version: uint64('Newer versions replace older ones of the same network, address, label and detector'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: Object.keys(finding),
    window: 1_000,
    settings: { index_granularity: 256 },
  },
  {
    kind: 'table',
    name: 'label_imports',
    comment:
      'Rows of label files while they are looked at: everything an import does is one statement over them. Emptied afterwards',
    columns: {
      import: text('Import the row belongs to'),
      network,
      address: finding.address,
      label: word('As in address_labels'),
      class: word('As in address_labels'),
      confidence,
      detector_version: word('Version of the list'),
      evidence: text('As in address_labels', ZSTD),
      revoked: flag('1 when the list takes the label back'),
      staged_at: time('When it was read', { default: 'now()' }),
    },
    engine: 'MergeTree',
    orderBy: ['import', 'network', 'address', 'label'],
    ttl: 'staged_at + INTERVAL 1 DAY',
  },
  {
    kind: 'table',
    name: 'label_updates',
    comment:
      'Fetches of lists: a row when one begins, a row when it ends, and one when wallets of new labels were queued for scoring. The first row of a list is that of the copy Assay brings along, if any',
    columns: {
      source: text('The list, as in detector of its labels'),
      generation: uint64('Number of the fetch. Of two that begin at once the store keeps the first'),
      owner: text('Random id of the process that fetches'),
      outcome: word(
        'running, applied, unchanged (the list is what it was), refused (it cannot be right), failed (no answer), or queued (wallets of all labels until then were queued for scoring)',
      ),
      version: text('Version of the list: its date, or else a digest; empty unless applied or unchanged'),
      definition: text('Digest of how the list is read; where it changed, the list is read again'),
      validators: text('JSON: ETag and time of each document, to ask for a newer one only'),
      labels: uint32('Labels that the list states'),
      message: text('Why it was refused or failed'),
      at: instant('When the fetch began or ended; for a copy Assay brings along, the date of the list'),
    },
    engine: 'MergeTree',
    orderBy: ['source', 'generation', 'at'],
    window: 1_000,
  },
  {
    kind: 'view',
    name: 'current_labels',
    comment: 'Findings in force: newest version of each, retracted ones left out',
    columns: bare({
      ...finding,
      ...details,
      class: text(details.class.comment),
      detector_version: text(details.detector_version.comment),
      found_at,
    }),
    select: `SELECT ${Object.keys(finding)
      .map((name) => `l.${name} AS ${name}`)
      .join(', ')},
  ${[...Object.keys(details), 'found_at'].map(newest).join(',\n  ')}
FROM address_labels AS l
GROUP BY ${Object.keys(finding)
      .map((name) => `l.${name}`)
      .join(', ')}
HAVING argMax(l.revoked, l.version) = 0`,
  },
  {
    kind: 'table',
    name: 'labelled_addresses',
    comment:
      'Addresses that a label, a sanction list or an issuer ever named. Few are, and their labels cost much more to ask for, so every verdict asks here first. Rows stay when a label is taken back or a block undone',
    columns: {
      network,
      address: finding.address,
      listed: column<number>(
        'SimpleAggregateFunction(max, UInt8)',
        '1 when a sanction list or an issuer named it, 0 when only labels did',
      ),
    },
    engine: 'AggregatingMergeTree',
    orderBy: ['network', 'address'],
    window: TOKENS_REMEMBERED,
    settings: { index_granularity: 256 },
  },
  {
    kind: 'feed',
    name: 'labelled_addresses_from_address_labels',
    to: 'labelled_addresses',
    select: 'SELECT DISTINCT network, address, 0 AS listed\nFROM address_labels',
  },
  ...['authority', 'authority_hot', 'authority_past'].map(
    (from): SchemaObject => ({
      kind: 'feed',
      name: `labelled_addresses_from_${from}`,
      to: 'labelled_addresses',
      select: `SELECT DISTINCT network, subject AS address, 1 AS listed
FROM ${from}
WHERE ${from === 'authority_hot' ? 'is_deleted = 0 AND ' : ''}${LISTING_EVENTS}`,
    }),
  ),
]
