/** Analyses of contracts: the newest record of each, the addresses it depends on, retries, and the position of the stream. */
import { column, flag, float64, instant, network, text, time, uint8, uint16, uint32, uint64, word } from './column.ts'
import type { SchemaObject } from './ddl.ts'

const ZSTD3 = { codec: 'ZSTD(3)' }
const version = uint64('Grows with every computation: milliseconds since the epoch')
const entryVersion = uint64('Grows with every entry: milliseconds since the epoch')
const POINT_READS = { index_granularity: 1024 }

/** Tables and views of contract analyses, and of the stream that makes them. */
export const contractObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'contract_records',
    comment: 'Newest analysis of each contract. Look up with ORDER BY version DESC LIMIT 1 BY network, address',
    columns: {
      network,
      address: text('Contract or pool that was asked about, lower-case hex'),
      version,
      token: text('Token that was scored: the address itself, or the token of the pool'),
      status: word('Fraud or Not Fraud'),
      probability: float64('Probability of a rug pull, 0 to 1'),
      risk_score: uint8('Risk score, 0 to 100'),
      honeypot: flag('1 when sells are blocked'),
      dead: flag('1 when the token had a pool whose liquidity insiders removed'),
      owner: text('Owner at the time, empty when there is none'),
      creator: text('Root creator, empty when unknown'),
      creator_fraud: flag('1 when the verdict on the creator was Fraud at the time'),
      pool: text('Pool that was analysed, empty when there is none'),
      code_hash: text('keccak-256 of the code that runs, without metadata trailer'),
      family_hash: text('keccak-256 of its opcodes with push data blanked: one family of contracts'),
      body: text(
        'JSON of the record without contractAddress, checked_times and updatedAt: the bytes that are served',
        ZSTD3,
      ),
      reasons: text('JSON of what risk score and probability rest on: code, contribution, evidence', ZSTD3),
      unknowns: text('JSON object of flags that could not be determined, with why; the record shows 0 for them', ZSTD3),
      facts: text(
        'JSON of what is known of the token beside the verdict: holders, sales of holders, launchpad; empty in rows of earlier versions',
        ZSTD3,
      ),
      model_version: word('Model of code that took part in the probability'),
      data_height: uint32('Block the analysis was pinned to'),
      data_hash: text('Hash of that block: a record of a block that is no longer in the chain is made again'),
      tables_height: uint32('Newest complete block in the tables when the analysis began; 0 when there was none'),
      watched: column<string[]>(
        'Array(String)',
        'Addresses whose events make the record outdated: token, pools, owner, creator, code behind proxies, insiders',
        ZSTD3,
      ),
      created_at: time('First analysed'),
      computed_at: time('Last analysed'),
    },
    indexes: [
      'by_token token TYPE bloom_filter(0.01)',
      'by_code code_hash TYPE bloom_filter(0.01)',
      'by_family family_hash TYPE bloom_filter(0.01)',
    ],
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address'],
    settings: POINT_READS,
  },
  {
    kind: 'table',
    name: 'contract_history',
    comment:
      'What analyses of contracts were: one row whenever status, scores or indicators changed. A row is the analysis that changed them',
    columns: {
      network,
      address: text('Contract or pool that was asked about, lower-case hex'),
      version: uint64('Version of the record'),
      status: word('Fraud or Not Fraud'),
      probability: float64('Probability of a rug pull, 0 to 1'),
      risk_score: uint8('Risk score, 0 to 100'),
      body: text('JSON of the record, as in contract_records', ZSTD3),
      reasons: text('JSON of what risk score and probability rested on', ZSTD3),
      unknowns: text('JSON object of flags that could not be determined, with why', ZSTD3),
      model_version: word('Model of code that took part in the probability'),
      data_height: uint32('Block the analysis was pinned to'),
      tables_height: uint32('Newest complete block in the tables when the analysis began; 0 when there was none'),
      computed_at: time('When it was analysed'),
    },
    engine: 'ReplacingMergeTree',
    orderBy: ['network', 'address', 'version'],
    settings: POINT_READS,
  },
  {
    kind: 'table',
    name: 'contract_watches',
    comment:
      'Contract records by the addresses they rest on. Rows of earlier versions stay: at worst a record is made again for nothing',
    columns: {
      network,
      watched: text('Address whose events concern the record'),
      address: text('Address of the record'),
      version: uint64('Version of the record that named the address'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'watched', 'address'],
    settings: POINT_READS,
  },
  {
    kind: 'feed',
    name: 'contract_watches_from_contract_records',
    to: 'contract_watches',
    select: 'SELECT network, arrayJoin(watched) AS watched, address, version\nFROM contract_records',
  },
  {
    kind: 'table',
    name: 'contract_retries',
    comment: 'Contract analyses put off: failures with their back-off, and refreshes that wait. Read with FINAL',
    columns: {
      network,
      address: text('Contract to be analysed'),
      version: entryVersion,
      due_at: instant('When to analyse it'),
      attempts: uint16('Analyses that failed in a row'),
      reason: word(
        'refresh (an event came soon after the last analysis), gone (no code at the address) or the error code of the last failure',
      ),
      settled: flag('1 when the analysis was made'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address'],
    settings: POINT_READS,
  },
  {
    kind: 'table',
    name: 'contract_progress',
    comment: 'How far the stream of contract analyses has come. Newest version counts',
    columns: {
      network,
      version: entryVersion,
      height: uint32('Events up to this block have been followed by analyses'),
      hash: text('Hash of that block'),
      verified: uint32('Records up to this final block are known to be of the chain'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network'],
  },
]
