/** Simulated trades step by step, with amounts, taxes and errors. */
import { foreign, h } from '../base/dom.js'
import { count, percent, time, words } from '../base/format.js'
import { address as addressOf } from '../base/parts.js'
import { table } from '../base/table.js'

/** @import { RugExplanation } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {RugExplanation['simulation']} Simulation */
/** @typedef {Simulation['trials'][number]} Trial */
/** @typedef {Trial['steps'][number]} Step */
/** @typedef {{ nth: number, trial: string, account: string | null, step: Step }} Row */

/** @type {Record<Trial['trial'], string>} */
const TRIALS = {
  person: 'A person buys, and sells a tenth ever later',
  late_seller: 'A person buys, and sells for the first time much later',
  sender: 'A person buys, and sells after it sent half to another',
  recipient: 'A person who was sent tokens sells',
  sell_all: 'A contract buys and sells all',
  sell_in_parts: 'A contract buys, sells half, then the rest',
  larger: 'A contract buys much and sells all',
  buy_twice: 'A contract buys twice in one transaction',
  transfer: 'A contract buys and passes tokens on',
  fresh_holder: 'A contract that was given tokens sells',
  insider: 'An insider trades',
}
/** @type {Record<Step['action'], string>} */
const ACTIONS = {
  buy: 'Buy',
  approve: 'Approve',
  sell: 'Sell',
  transfer: 'Transfer',
  transfer_from: 'Transfer by a spender',
}
const OUTCOMES = { accepted: '✔ accepted', refused: '✖ refused', not_run: '? not run' }
const UNITS = /** @type {const} */ ([
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
])

/** Time after the block: `now`, `5 min later`. @param {number} seconds */
export const laterText = (seconds) => {
  if (seconds <= 1) return 'now'
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 's']
  return `${Math.round(seconds / size)} ${unit} later`
}

/** @param {Step} step */
const partText = ({ action, part }) =>
  part === null ? '' : action === 'buy' ? `for ${percent(part)} of the pool` : `${percent(part)} of what it has`

/** The steps of all trials, with their trial. @param {readonly Trial[]} trials @returns {Row[]} */
export const rowsOf = (trials) =>
  trials.flatMap(({ trial, account, opened, steps }, nth) =>
    steps.map((step) => ({
      nth: nth + 1,
      trial: `${TRIALS[trial] ?? words(trial)}${opened ? ', once the owner has opened trading' : ''}`,
      account,
      step,
    })),
  )

/** Summary of the steps. @param {readonly Row[]} rows */
export const summaryOf = (rows) => {
  const of = (/** @type {Step['outcome']} */ outcome) => rows.filter(({ step }) => step.outcome === outcome).length
  return `${of('accepted')} of ${rows.length} steps were accepted, ${of('refused')} refused, ${of('not_run')} not run. A step that was not run does not count as refused.`
}

/** @param {NonNullable<Simulation['plainAccount']>} plain */
const plainView = ({ outcome, tries, tax, reason }) => {
  const OUTCOME = {
    sold: 'A sale went through.',
    refused: 'The token refused all of them.',
    unknown: 'The result is inconclusive.',
  }
  return h(
    'p',
    { id: 'plain-account' },
    `Because sales were refused or the token is suspected, an account without code tried ${count(tries)} sales and transfers to pools, from seconds to two years after it bought. `,
    OUTCOME[outcome],
    tax !== null && ` ${tax} % did not arrive.`,
    reason !== null && [' Error: ', foreign(reason), '.'],
  )
}

/** Sales of holders, simulated and real. @param {RugExplanation['holderSales']} sales */
export const holderSalesText = ({ tried, failed, siphoned, tax, why, recent, emptied }) => [
  tried === 0
    ? ['No sale of an existing holder was tried', why !== null && [': ', foreign(why)], '.']
    : `${count(tried)} existing holders tried to sell; ${count(failed)} could not.`,
  siphoned !== null && siphoned > 0 && ` In ${count(siphoned)} sales almost nothing arrived.`,
  tax !== null && ` The others lost ${tax.lowest} to ${tax.highest} % of a sale (median ${tax.median} %).`,
  emptied.holders !== null &&
    emptied.holders > 0 &&
    ` ${count(emptied.holders)} of ${count(emptied.compared ?? 0)} holders lost their tokens without sending them, or never had them.`,
  recent.sellers !== null &&
    recent.sales !== null &&
    recent.from !== null &&
    recent.to !== null &&
    ` ${count(recent.sellers)} accounts other than owner and creator sold it ${count(recent.sales)} times from ${time(recent.from)} to ${time(recent.to)}.`,
]

/** @param {RugExplanation['walletTransfer']} transfer */
const walletTransferText = ({ outcome, tax, why }) => {
  if (outcome === null) return ['A transfer between two accounts was not tried: ', foreign(why ?? ''), '.']
  return outcome === 'refused'
    ? ['A transfer between two accounts is refused.']
    : [`Of a transfer between two accounts ${tax} % does not arrive.`]
}

/** @param {RugExplanation} told */
export const simulationView = (told) => {
  const { simulation, holderSales, walletTransfer, dataHeight, computedAt } = told
  const { trials, plainAccount, why } = simulation
  const rows = rowsOf(trials)
  return [
    h(
      'p',
      {},
      why === null ? '' : ['No trade could be simulated: ', foreign(why), '. '],
      rows.length > 0 && summaryOf(rows),
      rows.length > 0 && ` Simulated at block ${count(dataHeight)}, ${time(computedAt)}. Nothing was sent.`,
    ),
    h('p', { id: 'holder-sales' }, ...holderSalesText(holderSales), ' ', ...walletTransferText(walletTransfer)),
    plainAccount && plainView(plainAccount),
    table({
      caption: 'Simulated trades, step by step',
      file: 'simulation',
      empty: 'No step was simulated.',
      rows,
      columns: [
        { name: 'Trial', value: (row) => row.nth, show: ({ nth, trial }) => `${nth}. ${trial}` },
        { name: 'What it tries', value: (row) => row.trial, inFilesOnly: true },
        {
          name: 'Account',
          value: (row) => row.account,
          show: ({ account }) => (account === null ? 'fresh' : addressOf(account)),
        },
        { name: 'When', value: ({ step }) => step.secondsLater, show: ({ step }) => laterText(step.secondsLater) },
        {
          name: 'Step',
          value: ({ step }) => step.action,
          show: ({ step }) => `${ACTIONS[step.action]} ${partText(step)}`,
        },
        {
          name: 'Outcome',
          value: ({ step }) => step.outcome,
          show: ({ step }) => h('span', { class: `flag ${step.outcome}` }, OUTCOMES[step.outcome]),
        },
        { name: 'Tokens sent', number: true, value: ({ step }) => step.sent },
        { name: 'Arrived', number: true, value: ({ step }) => step.arrived },
        { name: 'Tax, %', number: true, value: ({ step }) => step.tax },
        {
          name: 'Gas',
          number: true,
          value: ({ step }) => step.gas,
          show: ({ step }) => step.gas !== null && count(step.gas),
        },
        {
          name: 'Error',
          value: ({ step }) => step.reason,
          show: ({ step }) => step.reason !== null && foreign(step.reason),
        },
      ],
    }),
  ]
}
