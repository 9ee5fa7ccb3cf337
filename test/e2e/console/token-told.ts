/** What is told of the token of the tests: every kind of fact, with words that were chosen to break pages. */
import type { Added, Explained } from '../../../api/answers/providers/explanations/explain.ts'
import type { RugExplanation } from '../../../schema/records/explained/explanations.ts'
import { bodyOf } from '../../contract/api/kit.ts'
import { EXCHANGE, HOSTILE_NAME, LISTED, LOOK_ALIKE, SIBLING, TIME, TOKEN } from './actors.ts'

/** Verdicts on the token that are kept: it could not be minted before. */
export const RUG_HISTORY = [0, 1].map((nth) => {
  const record = JSON.parse(bodyOf('rug_pull', 'ETH'))
  const version = Date.parse(TIME) - 86_400_000 * (1 - nth)
  return {
    network: 'ETH',
    address: TOKEN,
    version,
    status: nth === 0 ? 'Not Fraud' : 'Fraud',
    probability: nth === 0 ? 0.2 : 0.8350795507,
    risk_score: nth === 0 ? 40 : 84,
    body: JSON.stringify({ ...record, risk_indicators: { ...record.risk_indicators, is_mintable: nth } }),
    reasons: JSON.stringify({
      risk: nth === 0 ? [] : [{ code: 'is_mintable', contribution: 44, evidence: [`mint by ${HOSTILE_NAME}`] }],
      fraud: [],
    }),
    unknowns: JSON.stringify({ is_honeypot: 'no market to trade on' }),
    model_version: 'contract-1',
    data_height: 600 + nth,
    tables_height: 600,
    computed_at: Math.floor(version / 1_000),
  }
})

const HOSTILE_WORDS = '<b onmouseover=alert(1)>TF</b>'
const NOT_RUN = { outcome: 'not_run', sent: null, arrived: null, tax: null, gas: null, reason: null } as const
const STEP = { ...NOT_RUN, secondsLater: 1, blocksLater: 1 }
export const RUG_EXPLANATION: Explained<Omit<RugExplanation, Added>> = {
  fields: {
    status: 'Fraud',
    probabilityFraud: 0.8350795507,
    risk_score: 84,
    risk_status: 'High Risk',
    reasons: [
      {
        score: 'risk_score',
        code: 'is_mintable',
        title: 'The owner can mint without limit',
        contribution: 44,
        evidence: { findings: [`mint by ${HOSTILE_NAME}`], amounts: [] },
        change: 'The owner gives up the right',
      },
      {
        score: 'probabilityFraud',
        code: 'liquidity_removed',
        title: 'Liquidity was removed',
        contribution: 0.8,
        evidence: {
          findings: [],
          amounts: [{ address: LISTED, transaction: '0x12-0', amount: '1.6', unit: 'WETH', usd: null }],
        },
        change: null,
      },
    ],
    unknowns: ['is_honeypot: no market to trade on', 'sell_tax: no market to trade on'],
    holders: {
      count: 1_204,
      top: [
        {
          address: LISTED,
          amount: '500000',
          share: 0.5,
          contract: false,
          tags: ['creator', 'label: phishing'],
          locks: [],
        },
        {
          address: EXCHANGE,
          amount: '115792089237316195423570985008687907853.269984665640564039',
          share: 0.1,
          contract: true,
          tags: [HOSTILE_NAME],
          locks: [{ share: 0.1, until: '2027-01-01T00:00:00.000Z' }],
        },
        { address: LOOK_ALIKE, amount: '1', share: 0.000_001, contract: true, tags: ['locker'], locks: null },
      ],
      why: null,
    },
    labels: [],
    holderSales: {
      ...{ tried: 10, failed: 3, siphoned: 1, tax: { lowest: 5, median: 5, highest: 97.5 }, why: null },
      recent: {
        ...{ sellers: 41, sales: 112, why: null },
        ...{ from: '2026-09-25T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' },
      },
      emptied: { compared: 40, holders: 2, why: null },
    },
    walletTransfer: { outcome: 'accepted', tax: 1.5, why: null },
    liquidityHolders: {
      top: [
        {
          ...{ address: LISTED, share: 0.75, contract: false, tags: ['creator'] },
          locks: [],
        },
        {
          ...{ address: EXCHANGE, share: 0.25, contract: true, tags: [HOSTILE_NAME] },
          locks: [{ share: 0.25, until: '2027-01-01T00:00:00.000Z' }],
        },
      ],
      why: null,
    },
    insiders: { owner: null, creator: { address: LISTED, amount: '500000', share: 0.5 }, why: null },
    pools: [{ pairAddress: LOOK_ALIKE, design: 'v2', asset: 'WETH', liquidity: '20', usd: '40000.00' }],
    simulation: {
      trials: [
        {
          ...{ trial: 'person', actor: 'person', account: null, opened: false },
          steps: [
            {
              ...STEP,
              action: 'buy',
              outcome: 'accepted',
              part: 0.001,
              sent: '500',
              arrived: '475',
              tax: 5,
              gas: 91_204,
            },
            {
              ...STEP,
              action: 'sell',
              secondsLater: 3_600,
              outcome: 'refused',
              part: 0.1,
              gas: 30_000,
              reason: HOSTILE_WORDS,
            },
            { ...STEP, action: 'sell', secondsLater: 90_000, part: 0.1 },
          ],
        },
        {
          ...{ trial: 'insider', actor: 'contract', account: LISTED, opened: true },
          steps: [
            { ...STEP, action: 'sell', outcome: 'accepted', part: 0.001, sent: '1', arrived: '1', tax: 0, gas: 1 },
          ],
        },
      ],
      plainAccount: { outcome: 'refused', tries: 24, tax: null, reason: HOSTILE_WORDS },
      why: null,
    },
    similarCode: { analysed: 12, traps: 1, examples: [{ chain: 'BNB', contractAddress: SIBLING }], why: null },
    launchpad: { name: HOSTILE_NAME, why: null, curve: { stage: 'graduated', why: null } },
    liquidityEvents: { complete: false, why: 'its creation is not in the tables' },
    trusted: false,
    modelVersion: 'contract-1',
    dataHeight: 690,
    computedAt: TIME,
  },
  coverage: { contract: { tablesHeight: 680 } },
}
