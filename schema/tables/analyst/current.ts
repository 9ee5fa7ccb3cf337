/** Views for analysts: one row per object, its newest state, and a column per flag and score. Assay itself does not read them. */
import { ACCUSATIONS } from '../../labels.ts'
import { forensicDetails } from '../../records/common.ts'
import { riskIndicators } from '../../records/rug.ts'
import {
  type Column,
  type Columns,
  column,
  float64,
  network,
  text,
  time,
  uint8,
  uint32,
  uint64,
  uint256,
  word,
} from '../column.ts'
import type { SchemaObject } from '../ddl.ts'

const address = text('Canonical address')
const status = word('Fraud, Not Fraud or New Address')
const version = uint64('Version of the record: milliseconds since the epoch')
const reason_codes = column<string[]>('Array(String)', 'Codes of the reasons, in the order of the record')

/** A column, and the SQL that computes it. */
type Derived = Readonly<Record<string, { column: Column; from: string }>>

const columnsOf = (derived: Derived): Columns =>
  Object.fromEntries(Object.entries(derived).map(([name, { column }]) => [name, column]))
const listOf = (derived: Derived): string =>
  Object.entries(derived)
    .map(([name, { from }]) => `${from} AS ${name}`)
    .join(',\n  ')

const derived = (column: Column, from: string) => ({ column, from })
/** Columns of table `r`, unchanged. */
const same = (columns: Columns): Derived =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, derived(column, `r.${name}`)]))

type Described = { meta: () => { description?: string | undefined } | undefined }
const described = (field: Described): string => field.meta()?.description ?? ''

const codes = "arrayMap(x -> JSONExtractString(x, 'code'), JSONExtractArrayRaw(r.reasons))"

/** Fields of forensic_details that are not flags. */
const WALLET_FIELDS: Readonly<Record<string, (path: string, comment: string) => Derived[string]>> = {
  number_of_malicious_contracts_created: (path, comment) =>
    derived(uint32(comment), `toUInt32OrZero(JSONExtractString(${path}))`),
  data_source: (path, comment) => derived(text(comment), `JSONExtractString(${path})`),
}

const walletFlags: Derived = Object.fromEntries(
  Object.entries(forensicDetails.shape).map(([name, field]) => {
    const path = `r.body, 'forensic_details', '${name}'`
    const comment = described(field)
    const other = WALLET_FIELDS[name]
    return [
      name,
      other?.(path, comment) ?? derived(uint8(`1 when: ${comment}`), `toUInt8(JSONExtractString(${path}) = '1')`),
    ]
  }),
)

/** A score of the profile; NULL if the wallet has none. */
const score = (type: string, comment: string, name: string) =>
  derived(
    column<unknown>(`Nullable(${type})`, `${comment}; NULL without a profile`),
    `if(p.version = 0, NULL, p.${name})`,
  )

const walletScores: Derived = {
  quality: score('UInt8', 'Wallet quality, 0 to 100', 'quality'),
  experience: score('UInt8', 'Experience, 0 to 10', 'experience'),
  risk_capability: score('UInt8', 'Risk capability, 1 to 9', 'risk_capability'),
  credit_rating: derived(
    column<unknown>(
      'Nullable(UInt8)',
      'Credit rating, 1 to 9; NULL without a profile or where the network has no such operation',
    ),
    'if(p.version = 0 OR p.rating = 0, NULL, p.rating)',
  ),
  transaction_count: score('UInt64', 'Transactions in and out', 'transaction_count'),
  age_days: score('UInt32', 'Days since the first row about the wallet', 'age_days'),
  balance_usd: score('Float64', 'Balance of priced assets, US dollars', 'balance_usd'),
}

const wallet: Derived = {
  ...same({ network, address, status, probability: float64('Probability of fraud, 0 to 1') }),
  ...walletFlags,
  reason_codes: derived(reason_codes, codes),
  ...same({
    unknowns: column<string[]>('Array(LowCardinality(String))', 'What could not be evaluated; its flag shows 0'),
  }),
  ...walletScores,
  ...same({
    model_version: word('Model that gave the probability'),
    data_height: uint32('Height of the data the record was computed from'),
    created_at: time('First computed'),
    computed_at: time('Last computed'),
    version,
  }),
}

type Indicator = 'percent' | 'float' | 'boolean' | 'text'
/** Risk indicators that are not flags. */
const INDICATORS: Readonly<Record<string, Indicator>> = {
  buy_tax: 'percent',
  sell_tax: 'percent',
  creator_percent: 'percent',
  lp_holders_locked: 'boolean',
  liquidity: 'float',
  market_cap: 'float',
  owner_address: 'text',
}
const readIndicator = (name: string, comment: string): Derived[string] => {
  const path = `r.body, 'risk_indicators', '${name}'`
  switch (INDICATORS[name]) {
    case 'percent':
      return derived(uint32(comment), `toUInt32(JSONExtractUInt(${path}))`)
    case 'float':
      return derived(float64(comment), `JSONExtractFloat(${path})`)
    case 'boolean':
      return derived(uint8(`1 when: ${comment}`), `toUInt8(JSONExtractBool(${path}))`)
    case 'text':
      return derived(text(comment), `JSONExtractString(${path})`)
    default:
      return derived(uint8(`1 when: ${comment}`), `toUInt8(JSONExtractUInt(${path}))`)
  }
}

const contract: Derived = {
  ...same({
    network,
    address: text('Contract or pool that was analysed'),
    token: text('Token that was scored: the address itself, or the token of the pool'),
    status: word('Fraud or Not Fraud'),
    probability: float64('Probability of a rug pull, 0 to 1'),
    risk_score: uint8('Risk score, 0 to 100'),
  }),
  risk_status: derived(text('Risk score in words'), "JSONExtractString(r.body, 'risk_status')"),
  creator: derived(text('Deployer; empty when unknown'), "JSONExtractString(r.body, 'contractCreatorAddress')"),
  ...same({
    pool: text('Pool that was analysed; empty when there is none'),
    dead: uint8('1 when the token had a pool whose liquidity insiders removed'),
    family_hash: text('keccak-256 of its opcodes with push data blanked: one family of contracts'),
  }),
  ...Object.fromEntries(
    Object.entries(riskIndicators.shape).map(([name, field]) => [name, readIndicator(name, described(field))]),
  ),
  reason_codes: derived(reason_codes, codes),
  unknowns: derived(
    column<string[]>('Array(String)', 'Flags that could not be determined; they show 0'),
    'JSONExtractKeys(r.unknowns)',
  ),
  ...same({
    data_height: uint32('Block the analysis was pinned to'),
    created_at: time('First analysed'),
    computed_at: time('Last analysed'),
    version,
  }),
}

/** Prefers a row that states more of the token over a newer one that states less. */
const best = (name: string) => `argMax(t.${name}, ((t.decimals >= 0) + (t.symbol != ''), t.position)) AS ${name}`

/** Digits of an amount, padded for the decimal point. leftPad cuts off longer texts. `AS` names stay inside the view. */
const DIGITS =
  "leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0')"
const AMOUNT = `if(decimals IS NULL, NULL, toDecimal256OrNull(if(decimals = 0, toString(l.amount),
    concat(substring(${DIGITS}, 1, length(${DIGITS}) - assumeNotNull(decimals)), '.', right(${DIGITS}, assumeNotNull(decimals)))), 18))`

/** Sort key of sources by reliability, least first. Of equal ones, authorities and then the registry are last. */
const SURENESS = "(s.confidence, s.class = 'asserted', s.source = 'registry', s.source)"
const surest = (name: string) => `argMax(s.${name}, ${SURENESS}) AS ${name}`
/** Value of the most reliable source that states one. */
const stated = (name: string) => `argMaxIf(s.${name}, ${SURENESS}, s.${name} != '') AS ${name}`

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')
/** Exposure category of an accusation, or the kind of a service. */
const CATEGORY = `if(l.label = 'service', if(JSONExtractString(l.evidence, 'kind') = '', 'service', JSONExtractString(l.evidence, 'kind')),
      transform(toString(l.label), [${quoted(Object.keys(ACCUSATIONS))}], [${quoted(Object.values(ACCUSATIONS))}], toString(l.label)))`

/** Views for `assay sql`, and for analysts on a server. */
export const currentObjects: SchemaObject[] = [
  {
    kind: 'view',
    name: 'tokens_current',
    comment:
      'Tokens, one row for each network and token: join it for symbols and decimals. tokens_all has a row for each time a token was first seen, and a join with it multiplies',
    columns: {
      network: column('String', network.comment),
      token: text('Token contract'),
      standard: text('erc20, erc721 or erc1155'),
      name: text('Name as the contract states it; anyone can state any name'),
      symbol: text('Symbol as the contract states it; anyone can state any symbol'),
      decimals: column<number | null>('Nullable(Int16)', 'Decimal places; NULL when the token does not state them'),
      first_block: uint32('Height of the first block that it was seen in'),
      first_seen: time('Time of that block'),
    },
    select: `SELECT t.network AS network, t.token AS token,
  ${['standard', 'name', 'symbol'].map(best).join(',\n  ')},
  nullIf(argMax(t.decimals, ((t.decimals >= 0) + (t.symbol != ''), t.position)), -1) AS decimals,
  min(t.block_number) AS first_block,
  min(t.block_time) AS first_seen
FROM tokens_all AS t
GROUP BY t.network, t.token`,
  },
  {
    kind: 'view',
    name: 'transfers',
    comment:
      'Value movements, one row each, from sender to receiver, with amounts in whole coins. Fast by network and from_address; for everything one wallet moved in both directions use ledger_all',
    columns: {
      network,
      block_number: uint32('Height of the block'),
      block_time: time('Time of the block'),
      position: uint64('Sortable position in the network'),
      tx_hash: text('Hash of the transaction'),
      from_address: text('Account it moved from'),
      to_address: text('Account it moved to'),
      kind: word('native, internal (call inside a transaction), fungible, nft, multi or wrap'),
      asset: text('Token contract; empty for the native coin'),
      symbol: text('Symbol of the coin or token as stated; empty when unknown'),
      decimals: column<number | null>(
        'Nullable(Int16)',
        'Decimal places of the asset; 0 for nft and multi, NULL when unknown',
      ),
      amount: column<string | null>(
        'Nullable(Decimal(76, 18))',
        'Amount in whole coins or tokens; digits after the 18th are cut off. NULL when decimals are unknown or the amount is of 58 digits and more',
      ),
      amount_raw: uint256('Exact amount in base units'),
      token_id: uint256('Token id of nft and multi movements, else 0'),
      initiator: text('Sender of the transaction'),
    },
    select: `SELECT l.network AS network, l.block_number AS block_number, l.block_time AS block_time, l.position AS position,
  l.tx_hash AS tx_hash, l.address AS from_address, l.counterparty AS to_address, l.kind AS kind, l.asset AS asset,
  if(l.asset = '', n.native_symbol, t.symbol) AS symbol,
  multiIf(l.asset = '', toInt16(n.native_decimals), l.kind IN ('nft', 'multi'), toInt16(0), t.token = '', NULL, t.decimals) AS decimals,
  ${AMOUNT} AS amount,
  l.amount AS amount_raw, l.token_id AS token_id, l.initiator AS initiator
FROM ledger_all AS l
LEFT JOIN (SELECT network, native_symbol, native_decimals FROM networks FINAL) AS n ON n.network = l.network
LEFT JOIN tokens_current AS t ON t.network = l.network AND t.token = l.asset
WHERE l.direction = -1`,
  },
  {
    kind: 'view',
    name: 'labels_current',
    comment:
      'Labels in force, one row for each network, address and label: of lists, of our own analysis, of oracles and issuers on chain, and of the registry. Filter by network and address. current_labels has a row for each source and its evidence',
    columns: {
      network: column('String', network.comment),
      address,
      label: text('What it is: service, sanctioned, phishing, blacklist, ...; docs/labels.md lists the words'),
      name: text('Name of the address or of its owner, as the surest source that states one; empty when none does'),
      category: text('Kind of service, or the exposure category of an accusation'),
      source: text('The surest source: a list, a detector, an authority on chain, or registry'),
      sources: column<string[]>('Array(String)', 'All sources that state the label'),
      class: text('asserted by an authority or the registry, reported by a list, detected or propagated by us'),
      confidence: column<number>('Float32', 'Confidence of the surest source, 0 to 1; 0.9 and more raises flags'),
      since: column<number | null>(
        "Nullable(DateTime('UTC'))",
        'Since when it is in force here; NULL for the registry',
      ),
      programme: text('Sanctions programme or case; empty when the list states none'),
      link: text('Where the entry can be read; empty when the list states none'),
    },
    select: `SELECT s.network AS network, s.address AS address, s.label AS label,
  ${stated('name')},
  ${['category', 'source'].map(surest).join(',\n  ')},
  arraySort(groupUniqArray(s.source)) AS sources,
  ${surest('class')},
  max(s.confidence) AS confidence,
  min(s.since) AS since,
  ${['programme', 'link'].map(stated).join(',\n  ')}
FROM (
  SELECT toString(l.network) AS network, l.address AS address, toString(l.label) AS label,
    JSONExtractString(l.evidence, 'name') AS name, ${CATEGORY} AS category, toString(l.detector) AS source,
    toString(l.class) AS class, l.confidence AS confidence, toNullable(l.found_at) AS since,
    JSONExtractString(l.evidence, 'programme') AS programme,
    if(match(JSONExtractString(l.evidence, 'source'), '^https?://'), JSONExtractString(l.evidence, 'source'), '') AS link
  FROM current_labels AS l
  WHERE l.label != 'sanctioned'
    OR (l.network, l.address) NOT IN (SELECT d.network, d.address FROM current_labels AS d WHERE d.label = 'delisted')
  UNION ALL
  SELECT toString(r.network) AS network, r.address AS address, 'service' AS label, r.name AS name, toString(r.category) AS category,
    'registry' AS source, 'asserted' AS class, toFloat32(1) AS confidence, CAST(NULL AS Nullable(DateTime('UTC'))) AS since,
    '' AS programme, '' AS link
  FROM registered_addresses AS r FINAL
  WHERE r.registered = 1
  UNION ALL
  SELECT toString(a.network) AS network, a.subject AS address, if(a.list = 'sanctions', 'sanctioned', 'blacklist') AS label, '' AS name,
    if(a.list = 'sanctions', 'sanctioned', 'frozen') AS category, if(n.name = '', a.authority, n.name) AS source,
    'asserted' AS class, toFloat32(1) AS confidence, toNullable(a.listed_at) AS since, '' AS programme, '' AS link
  FROM authority_listings_all AS a
  LEFT JOIN (SELECT network, address, name FROM registered_addresses FINAL) AS n
    ON n.network = a.network AND n.address = a.authority
  WHERE a.listed = 1
) AS s
GROUP BY s.network, s.address, s.label`,
  },
  {
    kind: 'view',
    name: 'wallets_current',
    comment: 'Newest record of each wallet, one row each, with a column for each flag and score',
    columns: columnsOf(wallet),
    select: `SELECT
  ${listOf(wallet)}
FROM wallet_records AS r FINAL
LEFT JOIN (
  SELECT network, address, version, ${Object.keys(walletScores)
    .map((name) => (name === 'credit_rating' ? 'rating' : name))
    .join(', ')}
  FROM profile_records FINAL
) AS p ON p.network = r.network AND p.address = r.address
WHERE r.body != ''`,
  },
  {
    kind: 'view',
    name: 'contracts_current',
    comment: 'Newest analysis of each contract, one row each, with a column for each indicator',
    columns: columnsOf(contract),
    select: `SELECT
  ${listOf(contract)}
FROM contract_records AS r FINAL`,
  },
]
