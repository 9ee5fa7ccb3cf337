/** Views for analysts: one row a thing, with known answers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../platform/context/clock.ts'
import { writeFacts } from '../../../platform/store/migrate/facts.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const put = (table: string, rows: readonly object[]) =>
  kit.store.insert(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

const head = (block: number) => ({
  network: 'ETH',
  block_number: block,
  block_time: 1_700_000_000 + block,
  position: String(block * 2 ** 34),
  tx_hash: `0x${block}`,
})
const token = (block: number, token: string, symbol: string, decimals: number, network = 'ETH') => ({
  ...head(block),
  network,
  token,
  standard: 'erc20',
  name: symbol,
  symbol,
  decimals,
})
/** Both rows of a movement. */
const moved = (block: number, asset: string, amount: string, kind = 'fungible') => {
  const row = { ...head(block), kind, asset, token_id: '0', amount, initiator: 'a' }
  return [
    { ...row, address: 'a', counterparty: 'b', direction: -1 },
    { ...row, address: 'b', counterparty: 'a', direction: 1 },
  ]
}

test('a join with a token seen 53 times does not multiply rows', async () => {
  await put('tokens', [
    ...Array.from({ length: 50 }, (_, n) => token(n + 1, 'usd', 'USD', 6)),
    token(60, 'usd', '', -1),
    token(61, 'usd', 'USD', 6, 'BNB'),
  ])
  await put('tokens_hot', [
    { ...token(62, 'usd', 'USDX', 6), version: '1' },
    { ...token(63, 'usd', '', 6), version: '1' },
  ])
  await put('ledger', moved(1, 'usd', '2500000'))
  const sum = (tokens: string) =>
    kit.store.query(
      `SELECT count() AS n, sum(l.amount) AS total FROM ledger_all AS l JOIN ${tokens} AS t ON t.network = l.network AND t.token = l.asset WHERE l.direction = -1`,
    )
  expect(await sum('tokens_all')).toEqual([{ n: '53', total: '132500000' }])
  expect(await sum('tokens_current')).toEqual([{ n: '1', total: '2500000' }])
  // The newest row that states both wins over newer ones that state less.
  expect(await kit.store.query('SELECT network, symbol, decimals, first_block FROM tokens_current ORDER BY 1')).toEqual(
    [
      { network: 'BNB', symbol: 'USD', decimals: 6, first_block: 61 },
      { network: 'ETH', symbol: 'USDX', decimals: 6, first_block: 1 },
    ],
  )
})

test('transfers are one row each with exact amounts, for any token metadata', async () => {
  const most = (2n ** 256n - 1n).toString()
  await put('tokens', [
    token(1, 'usd', 'USD', 6),
    token(1, 'whole', 'W', 0),
    token(1, 'silent', 'S', -1),
    token(1, 'fine', 'F', 30),
    token(1, 'absurd', 'A', 32_767),
  ])
  await put('ledger', [
    ...moved(1, '', '1000000000000000001', 'native'),
    ...moved(2, 'usd', '2500000'),
    ...moved(3, 'usd', '1'),
    ...moved(4, 'whole', '7'),
    ...moved(5, 'silent', '7'),
    ...moved(6, 'unseen', '7'),
    ...moved(7, 'whole', most),
    ...moved(8, 'fine', `1${'0'.repeat(29)}1`),
    ...moved(9, 'absurd', most),
    ...moved(10, 'ape', '1', 'nft'),
    ...moved(11, 'usd', '0'),
    ...moved(12, '', '12345000000000000000000', 'native'),
    ...moved(13, 'usd', '1250500000'),
    ...moved(14, 'whole', '1000000'),
  ])
  const rows = await kit.store.query<Record<string, unknown>>(
    'SELECT block_number, from_address, to_address, symbol, decimals, toString(amount) AS amount, amount_raw FROM transfers ORDER BY position',
  )
  expect(rows.map(({ symbol, decimals, amount }) => [symbol, decimals, amount])).toEqual([
    ['ETH', 18, '1.000000000000000001'],
    ['USD', 6, '2.5'],
    ['USD', 6, '0.000001'],
    ['W', 0, '7'],
    ['S', null, null],
    ['', null, null],
    ['W', 0, null],
    ['F', 30, '1'],
    ['A', 32_767, '0'],
    ['', 0, '1'],
    ['USD', 6, '0'],
    ['ETH', 18, '12345'],
    ['USD', 6, '1250.5'],
    ['W', 0, '1000000'],
  ])
  expect(rows.every((row) => row.from_address === 'a' && row.to_address === 'b')).toBe(true)
  expect(rows[6]?.amount_raw).toBe(most)
})

const walletRecord = (address: string, version: number, flags: Record<string, string>) => ({
  network: 'ETH',
  address,
  version: String(version),
  status: flags.mixer === '1' ? 'Fraud' : 'Not Fraud',
  probability: flags.mixer === '1' ? 1 : 0.25,
  body: JSON.stringify({ forensic_details: flags }),
  reasons: JSON.stringify([{ code: 'mixer_use' }, { code: 'model' }]),
  unknowns: ['phishing'],
  model_version: 'm1',
  data_height: 9,
  created_at: 1_700_000_000,
  computed_at: 1_700_000_000,
})

test('wallets have one row each with a column for each flag, and scores only with a profile', async () => {
  await put('wallet_records', [
    walletRecord('w1', 1, { mixer: '0' }),
    walletRecord('w1', 2, { mixer: '1', number_of_malicious_contracts_created: '12', data_source: 'rules' }),
    walletRecord('w2', 1, { mixer: '0' }),
    { ...walletRecord('undone', 1, {}), body: '' },
  ])
  await put(
    'profile_records',
    [
      {
        network: 'ETH',
        address: 'w2',
        version: '5',
        audit: '',
        segment: '',
        credit: '',
        segment_letter: 'A',
        quality: 0,
        rating: 0,
      },
    ].map((row) => ({
      ...row,
      experience: 3,
      risk_capability: 4,
      transaction_count: '9',
      age_days: 2,
      balance_usd: 1.5,
      probability: 0.25,
      unknowns: [],
      model_version: 'm1',
      data_height: 9,
      computed_at: 1_700_000_000,
    })),
  )
  expect(
    await kit.store.query(
      `SELECT address, status, mixer, sanctioned, number_of_malicious_contracts_created AS created, data_source,
        reason_codes, unknowns, quality, experience, credit_rating, balance_usd
      FROM wallets_current ORDER BY address`,
    ),
  ).toEqual([
    {
      address: 'w1',
      status: 'Fraud',
      mixer: 1,
      sanctioned: 0,
      created: 12,
      data_source: 'rules',
      reason_codes: ['mixer_use', 'model'],
      unknowns: ['phishing'],
      quality: null,
      experience: null,
      credit_rating: null,
      balance_usd: null,
    },
    {
      address: 'w2',
      status: 'Not Fraud',
      mixer: 0,
      sanctioned: 0,
      created: 0,
      data_source: '',
      reason_codes: ['mixer_use', 'model'],
      unknowns: ['phishing'],
      quality: 0,
      experience: 3,
      credit_rating: null,
      balance_usd: 1.5,
    },
  ])
})

test('contracts have one row each with a column for each indicator', async () => {
  const record = (version: number, is_honeypot: 0 | 1) => ({
    network: 'ETH',
    address: 'c1',
    version: String(version),
    token: 'c1',
    status: 'Fraud',
    probability: 0.9,
    risk_score: 84,
    honeypot: is_honeypot,
    dead: 0,
    owner: '',
    pool: '',
    code_hash: '',
    family_hash: 'f',
    body: JSON.stringify({
      risk_status: 'High Risk',
      contractCreatorAddress: null,
      risk_indicators: { is_honeypot, sell_tax: 99, lp_holders_locked: true, liquidity: 14.38, owner_address: 'o' },
    }),
    reasons: '[]',
    unknowns: JSON.stringify({ is_open_source: 'not asked' }),
    data_height: 9,
    data_hash: '0x9',
    tables_height: 9,
    watched: [],
    created_at: 1_700_000_000,
    computed_at: 1_700_000_000,
  })
  await put('contract_records', [record(1, 0), record(2, 1)])
  expect(
    await kit.store.query(
      'SELECT address, risk_status, creator, is_honeypot, is_proxy, sell_tax, lp_holders_locked, liquidity, owner_address, unknowns FROM contracts_current',
    ),
  ).toEqual([
    {
      address: 'c1',
      risk_status: 'High Risk',
      creator: '',
      is_honeypot: 1,
      is_proxy: 0,
      sell_tax: 99,
      lp_holders_locked: 1,
      liquidity: 14.38,
      owner_address: 'o',
      unknowns: ['is_open_source'],
    },
  ])
})

test('a label is one row with its name, kind, most confident source and age, from lists, chain and registry', async () => {
  const found = (address: string, label: string, detector: string, more: object = {}) => ({
    network: 'ETH',
    address,
    label,
    detector,
    class: 'reported',
    confidence: 0.9,
    detector_version: '1',
    evidence: '{}',
    revoked: 0,
    found_at: 1_700_000_000,
    version: '1700000000000',
    ...more,
  })
  const entry = 'https://sanctionssearch.ofac.treas.gov/Details.aspx?id=1'
  await put('address_labels', [
    found('bad', 'phishing', 'list-a', { evidence: '{"name":"Fake_Phishing1"}' }),
    found('bad', 'phishing', 'list-b', { confidence: 0.95, found_at: 1_700_000_500 }),
    found('listed', 'sanctioned', 'ofac', {
      class: 'asserted',
      confidence: 1,
      evidence: JSON.stringify({ name: 'SOMEBODY', programme: 'CYBER2', source: entry }),
    }),
    found('freed', 'sanctioned', 'old-list', { class: 'asserted', confidence: 1 }),
    found('freed', 'delisted', 'ofac-removals'),
    found('kraken', 'service', 'directory', { evidence: '{"name":"Kraken 4","kind":"exchange","source":"file.csv"}' }),
    found('forgiven', 'phishing', 'list-a'),
    found('forgiven', 'phishing', 'list-a', { revoked: 1, version: '1700000000001' }),
  ])
  const [oracle = ''] = SANCTIONS_ORACLES.ETH.keys()
  await put('authority', [
    { ...head(1), event: 'sanction_add', authority: oracle, subject: 'listed', actor: 'boss' },
    { ...head(1), event: 'freeze', authority: USDC, subject: 'frozen', actor: 'boss' },
  ])
  const rows = (where: string) =>
    kit.store.query(
      `SELECT address, label, name, category, source, sources, class, toUnixTimestamp(since) AS since, programme, link
       FROM labels_current WHERE network = 'ETH' AND ${where} ORDER BY address, label`,
    )
  const row = (address: string, label: string, more: object) => ({
    address,
    label,
    name: '',
    category: label,
    class: 'reported',
    since: 1_700_000_000,
    programme: '',
    link: '',
    ...more,
  })
  expect(await rows("address IN ('bad', 'listed', 'freed', 'kraken', 'forgiven', 'frozen')")).toEqual([
    row('bad', 'phishing', { name: 'Fake_Phishing1', source: 'list-b', sources: ['list-a', 'list-b'] }),
    row('freed', 'delisted', { source: 'ofac-removals', sources: ['ofac-removals'] }),
    row('frozen', 'blacklist', {
      category: 'frozen',
      source: 'usd coin',
      sources: ['usd coin'],
      class: 'asserted',
      since: 1_700_000_001,
    }),
    row('kraken', 'service', { name: 'Kraken 4', category: 'exchange', source: 'directory', sources: ['directory'] }),
    row('listed', 'sanctioned', {
      name: 'SOMEBODY',
      source: 'ofac',
      sources: ['Chainalysis sanctions oracle', 'ofac'],
      class: 'asserted',
      programme: 'CYBER2',
      link: entry,
    }),
  ])
  expect(await rows(`address = '${USDC}'`)).toEqual([
    row(USDC, 'service', {
      name: 'usd coin',
      category: 'token',
      source: 'registry',
      sources: ['registry'],
      class: 'asserted',
      since: null,
    }),
  ])
  // The registry is whole, and a name it drops is dropped.
  expect(
    await kit.store.query(
      "SELECT network, toUInt32(count()) AS n FROM labels_current WHERE source = 'registry' GROUP BY 1 ORDER BY 1",
    ),
  ).toEqual(
    NETWORK_CODES.map((code) => ({ network: code, n: infrastructureOf(code).size })).toSorted((a, b) =>
      a.network < b.network ? -1 : 1,
    ),
  )
  await put('registered_addresses', [
    { network: 'ETH', address: 'former', name: 'Former', category: 'dex', registered: 1, version: '1' },
  ])
  expect(await rows("address = 'former'")).toHaveLength(1)
  await writeFacts(kit.store, systemClock)
  expect(await rows("address = 'former'")).toEqual([])
})
