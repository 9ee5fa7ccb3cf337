import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { rugExplanation } from '../../../schema/records/explained/explanations.ts'
import { shownFacts } from '../../../schema/records/explained/token-facts.ts'
import { riskIndicators, rugBody, rugRecord } from '../../../schema/records/rug.ts'
import { contractObjects } from '../../../schema/tables/contracts.ts'
import { explainContract } from './reasons.ts'
import type { FraudCode } from './verdict.ts'

const DOCS = new URL('../../../docs/verdicts/contract-risk.md', import.meta.url)
const CODES: FraudCode[] = ['liquidity_removed', 'sold_by_insiders', 'code_resembles_rugs']

test('the table of what other services answer names fields that exist, and every indicator', () => {
  const [, section = ''] = readFileSync(DOCS, 'utf8').split('## What other services answer')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  const named = new Set(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
  const records = contractObjects.find(({ name }) => name === 'contract_records')
  const columns = records?.kind === 'table' ? Object.keys(records.columns) : []
  const known = new Set<string>([
    ...riskIndicators.keyof().options,
    ...rugBody.keyof().options,
    ...rugExplanation.keyof().options,
    ...columns,
    ...CODES,
  ])
  expect([...named].filter((name) => !known.has(name))).toEqual([])
  // Indicators that no other service has.
  const own = ['market_cap', 'is_in_dex']
  expect(riskIndicators.keyof().options.filter((name) => !named.has(name) && !own.includes(name))).toEqual([])
  expect(Object.keys(shownFacts).filter((name) => !named.has(name))).toEqual([])
  expect(rows.length).toBeGreaterThan(15)
})

type Json = {
  $ref?: string
  $defs?: Record<string, Json>
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
}

/** Paths of all fields of a response; list elements use the name of the list. */
const pathsOf = (schema: z.ZodType): Set<string> => {
  const whole = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json
  const paths = new Set<string>()
  const walk = (part: Json, path: string) => {
    const { $ref, properties = {}, items, anyOf = [] } = part
    if ($ref) walk(whole.$defs?.[$ref.replace('#/$defs/', '')] ?? {}, path)
    for (const [name, value] of Object.entries(properties)) {
      const here = path === '' ? name : `${path}.${name}`
      paths.add(here)
      walk(value, here)
    }
    for (const one of [...anyOf, ...(items ? [items] : [])]) walk(one, path)
  }
  walk(whole, '')
  return paths
}

/** Fields of other services with our equivalent, by service. */
const peers = () =>
  readFileSync(new URL('peers.md', DOCS), 'utf8')
    .split('\n## ')
    .slice(1)
    .flatMap((section) => {
      const [service = '', ...lines] = section.split('\n')
      return lines
        .filter((line) => /^\| (?!field )/.test(line))
        .map((line) => {
          const [, field = '', answer = ''] = line.split('|').map((cell) => cell.trim())
          return { service, field, answer, named: [...answer.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name) }
        })
    })

test('every field of another service is answered by a field that exists, or it is stated why not', () => {
  const known = new Set([...pathsOf(rugRecord), ...pathsOf(rugExplanation), ...CODES, 'fake_token'])
  expect(known.has('liquidityHolders.top.locks.until') && known.has('holderSales.tax.median')).toBe(true)
  const rows = peers()
  expect(rows.flatMap(({ named }) => named).filter((name) => !known.has(name))).toEqual([])
  const unanswered = rows.filter(({ answer, named }) =>
    answer.startsWith('no: ') ? answer.length < 25 : named.length === 0,
  )
  expect(unanswered).toEqual([])
  const names = rows.map(({ service, field }) => `${service} ${field}`)
  expect(new Set(names).size).toBe(names.length)
})

test('fields that the clients of other services know are all on the page', () => {
  const fields = (of: string) =>
    peers().flatMap(({ service, field }) => (service === of ? (field.match(/\w+/g) ?? []) : []))
  // Names as in public clients, November 2026.
  const CLIENTS = {
    GoPlus: `anti_whale_modifiable buy_tax can_take_back_ownership cannot_buy cannot_sell_all creator_address creator_balance
      creator_percent dex external_call fake_token gas_abuse hidden_owner holder_count holders honeypot_with_same_creator is_airdrop_scam
      is_anti_whale is_blacklisted is_honeypot is_in_cex is_in_dex is_mintable is_open_source is_proxy is_true_token is_whitelisted
      launchpad_token locked_detail lp_holder_count lp_holders lp_total_supply note other_potential_risks owner_address owner_balance
      owner_change_balance owner_percent personal_slippage_modifiable selfdestruct sell_tax slippage_modifiable token_name token_symbol
      total_supply trading_cooldown transfer_pausable transfer_tax trust_list`,
    'honeypot.is': `averageGas averageTax buyGas buyTax chain contractCode createdAtTimestamp creationTxHash failed flags hasProxyCalls
      highTaxWallets highestTax holders honeypotReason isHoneypot isProxy liquidity maxBuy maxSell openSource pairAddress reserves0 reserves1
      risk riskLevel rootOpenSource router sellGas sellTax simulationError simulationSuccess siphoned snipersFailed snipersSuccess successful
      taxDistribution totalHolders transferTax withToken`,
    'Token Sniffer': `base_reserve base_symbol burn_balance buy_fee created_at deployer_addr deployer_balance exploits flagged_at
      has_blocklist has_fee_modifier has_max_transaction_amount has_mint has_nonstandard_ledger_variable_name
      has_nonstandard_transfer_function_signature has_pausable has_proxy is_flagged is_ownership_renounced is_pending is_rugpull is_sellable
      is_source_verified is_suspect lock_balance locks owner_address owner_balance pools refreshed_at risk_level score sell_fee similar tests
      top_holders`,
  }
  for (const [service, names] of Object.entries(CLIENTS)) {
    const listed = new Set(fields(service))
    expect(names.split(/\s+/).filter((name) => !listed.has(name))).toEqual([])
  }
})

test('every reason has words', () => {
  const fraud = CODES.map((code) => ({ code, contribution: 0.1, evidence: [] }))
  expect(explainContract(0, { risk: [], fraud }).map(({ title, change }) => Boolean(title && change))).toEqual(
    CODES.map(() => true),
  )
})
