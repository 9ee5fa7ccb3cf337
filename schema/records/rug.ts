import { z } from 'zod'
import { chain, checkedTimes, contractStatus, createdAt, lastChecked, successMessage, timestamp } from './common.ts'

const flag = (description: string) =>
  z.union([z.literal(0), z.literal(1)]).meta({ description, type: 'integer', example: 0 })
const percent = (description: string) => z.int().min(0).meta({ description, example: 0 })

/** Risk indicators of a contract, as in answers. */
export const riskIndicators = z
  .object({
    is_honeypot: flag('Sells are blocked'),
    honeypot_with_same_creator: flag('The creator deployed another honeypot'),
    can_take_back_ownership: flag('Ownership can be reclaimed after renouncing'),
    is_mintable: flag('Unlimited minting is allowed'),
    hidden_owner: flag('The owner is concealed'),
    buy_tax: percent('Buy tax in percent'),
    sell_tax: percent('Sell tax in percent'),
    cannot_buy: flag('Buying is disabled'),
    cannot_sell_all: flag('Holders cannot sell their full balance'),
    is_blacklisted: flag('The contract can blacklist addresses'),
    is_whitelisted: flag('The contract uses a whitelist'),
    creator_percent: percent('Percentage of the supply held by the creator'),
    lp_holders_locked: z.boolean().meta({ description: 'Liquidity tokens are locked', example: false }),
    liquidity: z.number().min(0).meta({ description: 'Liquidity in the base token', example: 14.38 }),
    market_cap: z.number().min(0).meta({ description: 'Estimated market capitalisation in USD', example: 2062 }),
    is_in_dex: flag('Listed on an exchange'),
    slippage_modifiable: flag('The owner can change slippage'),
    transfer_pausable: flag('Transfers can be paused'),
    is_anti_whale: flag('An anti-whale mechanism is active'),
    anti_whale_modifiable: flag('Anti-whale limits can be changed'),
    trading_cooldown: flag('There is a cooldown between trades'),
    personal_slippage_modifiable: flag('Slippage can be set per address'),
    is_open_source: flag('The source is verified'),
    is_proxy: flag('The contract is a proxy'),
    owner_address: z.string().meta({ description: 'Current owner; may be empty', example: '' }),
    owner_change_balance: flag('The owner can modify balances'),
    selfdestruct: flag('Contains a selfdestruct call'),
    external_call: flag('Makes external calls'),
    gas_abuse: flag('Gas manipulation was detected'),
  })
  .meta({ id: 'ContractRiskIndicators', description: 'Static flags of a contract: 1 means the condition holds' })

const contractForensics = z
  .object({
    owner: z.record(z.string(), z.unknown()).meta({ description: 'What is known of the owner', example: {} }),
    privilege_withdraw: z
      .int()
      .min(0)
      .meta({ description: '1 when a privileged account can take deposits of users', example: 0 }),
    withdraw_missing: z.int().min(0).meta({ description: '1 when deposits cannot be withdrawn', example: 0 }),
    is_open_source: z.int().min(0).meta({ description: '1 when the source is verified', example: 1 }),
    blacklist: z.int().min(0).meta({ description: '1 when addresses can be blacklisted', example: 0 }),
    contract_name: z.string().meta({ description: 'Name of the contract; may be empty', example: 'PAPUToken' }),
    selfdestruct: z.int().min(0).meta({ description: '1 when it contains a selfdestruct call', example: 0 }),
    is_proxy: z.int().min(0).meta({ description: '1 when it is a proxy', example: 0 }),
    approval_abuse: z.int().min(0).meta({ description: '1 when it can spend what others approved', example: 0 }),
  })
  .meta({ id: 'ContractForensicDetails', description: 'Dynamic indicators of a contract' })

const liquidityEvent = z
  .object({
    eventType: z
      .enum(['add', 'remove'])
      .meta({ description: 'Whether liquidity was added or removed', example: 'remove' }),
    amount: z.number().min(0).meta({ description: 'In the base token', example: 1.60228 }),
    token: z.string().meta({ description: 'Symbol of the base token', example: 'WBNB' }),
    tx_hash: z.string().meta({ description: 'Transaction', example: `0x${'5a'.repeat(32)}` }),
    from_address: z
      .string()
      .meta({ description: 'Account that added or removed it', example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6' }),
    from_fraud_probability: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Probability of fraud of that wallet', example: 1 }),
    from_fraud_status: contractStatus,
    createdAt: timestamp,
  })
  .meta({ id: 'LiquidityEvent', description: 'Liquidity added or removed, with the account' })

/** Answer of POST /rug/pull-check. */
export const rugRecord = z
  .object({
    message: successMessage,
    contractAddress: z.string().meta({
      description: 'Contract analysed, in the spelling of the request',
      example: '0x91dba2cd05c8a0227b48c3e426077145d23b21df',
    }),
    pairAddress: z.string().meta({ description: 'Liquidity pair; empty when there is none', example: '' }),
    contractCreatorAddress: z.string().nullable().meta({ description: 'Deployer', example: null }),
    risk_score: z.int().meta({ description: 'Internal risk score', example: 84 }),
    risk_status: z.string().meta({ description: 'Qualitative label', example: 'High Risk' }),
    status: contractStatus,
    probabilityFraud: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Probability of a rug pull, a number here', format: 'float', example: 0.8350795507 }),
    chain,
    lastChecked,
    contractCreationTime: timestamp.nullable().meta({ description: 'Deployment time', example: null }),
    risk_indicators: riskIndicators,
    forensic_details: contractForensics,
    liquidityEvent: z.array(liquidityEvent).meta({ description: 'Recent liquidity events' }),
    checked_times: checkedTimes,
    createdAt,
    updatedAt: timestamp.meta({ description: 'Last update', example: '2026-05-04T12:00:00.000Z' }),
  })
  .meta({ id: 'ContractRugPullRecord', description: 'Rug pull probability of a contract or liquidity pool' })

/** The stored part of the record, without fields that differ between answers. */
export const rugBody = rugRecord.omit({ contractAddress: true, checked_times: true, updatedAt: true })
/** The stored part of a contract's analysis; fields that depend on the request are added to each answer. */
export type RugBody = z.output<typeof rugBody>
