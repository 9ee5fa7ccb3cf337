/** Waterfall of a probability: from the base rate, reason by reason, to the result. */
import { foreign, h, svg } from '../base/dom.js'
import { percent } from '../base/format.js'
import { evidence } from '../base/parts.js'
import { table } from '../base/table.js'

/** @typedef {{ code: string, title: string, contribution: number | null, evidence: Record<string, unknown>, change: string | null }} Reason */
/** @typedef {{ title: string, from: number, to: number, reason?: Reason | undefined }} Step Log-odds before and after */

/** @param {number} odds log-odds */
export const chance = (odds) => 1 / (1 + Math.exp(-odds))
/** @param {number} probability 0 to 1 */
const logit = (probability) => Math.log(probability / (1 - probability))

/** @param {number} probability 0 to 1 */
export const probabilityText = (probability) =>
  probability < 0.0995 ? probability.toPrecision(2) : probability.toFixed(3)

/**
 * The steps from the base rate. Contributions add up in log-odds, so the base rate is the result minus their sum. If a finding
 * decides alone, the base rate is unknown, and steps begin at zero.
 *
 * @param {readonly Reason[]} reasons @param {number} probability 0 to 1, of the verdict
 * @returns {{ base: number | undefined, steps: Step[] }}
 */
export const stepsOf = (reasons, probability) => {
  const weighed = reasons.filter((reason) => reason.contribution !== null)
  const isForced = weighed.length < reasons.length || probability <= 0 || probability >= 1
  const sum = weighed.reduce((total, { contribution }) => total + (contribution ?? 0), 0)
  const base = isForced ? undefined : logit(probability) - sum
  let at = base ?? 0
  const steps = weighed.map((reason) => {
    const from = at
    at += reason.contribution ?? 0
    return { title: reason.title, from, to: at, reason }
  })
  return {
    base,
    steps: base === undefined || steps.length === 0 ? steps : [{ title: 'Base rate', from: base, to: base }, ...steps],
  }
}

/** Maps log-odds to a scale of 0 to 100. @param {readonly Step[]} steps */
export const scaleOf = (steps) => {
  const values = steps.flatMap(({ from, to }) => [from, to])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const width = most - least || 1
  return (/** @type {number} */ value) => Math.round(((value - least) / width) * 10_000) / 100
}

/** @param {Step} step @param {(value: number) => number} scale */
const bar = ({ from, to }, scale) => {
  const [left, right] = [scale(Math.min(from, to)), scale(Math.max(from, to))]
  return svg(
    'svg',
    { class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', {
      x: left,
      y: 0,
      width: Math.max(right - left, 0.5),
      height: 10,
      class: to > from ? 'against' : 'for',
    }),
  )
}

/** @param {Reason} reason @param {string} network */
const grounds = ({ title, evidence: found, change }, network) =>
  h(
    'details',
    {},
    h('summary', {}, foreign(title)),
    h('div', { class: 'evidence' }, evidence(found, network)),
    change && h('p', {}, h('strong', {}, 'What would change it: '), foreign(change)),
  )

/** @param {readonly Reason[]} reasons @param {string} probabilityFraud text of the API @param {string} network */
export const waterfall = (reasons, probabilityFraud, network) => {
  const { base, steps } = stepsOf(reasons, Number(probabilityFraud))
  const scale = scaleOf(steps)
  const forced = reasons.filter(({ contribution }) => contribution === null)
  const signed = (/** @type {number} */ value) => `${value > 0 ? '+' : ''}${value.toFixed(2)}`
  return [
    forced.length > 0 && [
      h('p', {}, 'Each of these alone sets the probability to 1.00:'),
      h(
        'ul',
        { class: 'findings' },
        ...forced.map((reason) => h('li', {}, h('code', {}, reason.code), grounds(reason, network))),
      ),
    ],
    base !== undefined &&
      h(
        'p',
        {},
        `${percent(chance(base))} of all wallets are fraud (the base rate). With the reasons below the probability is ${probabilityFraud}.`,
      ),
    forced.length > 0 &&
      steps.length > 0 &&
      h('p', {}, 'Reasons from behaviour. They do not change the result while the findings above apply:'),
    table({
      caption: 'Reasons by weight',
      file: 'reasons',
      empty:
        forced.length > 0
          ? 'No other reasons.'
          : 'There are no reasons for or against this wallet: the result is the base rate.',
      rows: steps,
      columns: [
        {
          name: 'Reason',
          value: (step) => step.title,
          show: (step) => (step.reason ? grounds(step.reason, network) : step.title),
        },
        {
          name: 'Log-odds',
          number: true,
          value: (step) => step.to - step.from,
          show: (step) => step.reason && [signed(step.to - step.from), bar(step, scale)],
        },
        ...(base === undefined
          ? []
          : [
              {
                name: 'Probability after it',
                number: true,
                value: (/** @type {Step} */ step) => chance(step.to),
                show: (/** @type {Step} */ step) => probabilityText(chance(step.to)),
              },
            ]),
      ],
    }),
  ]
}
