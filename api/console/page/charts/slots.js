/** The slots (days, weeks or months) of a chart and their shapes. Pure functions without DOM. */

/** @typedef {import('zod').output<typeof import('../../../../schema/records/explained/activity.ts').activity>} Activity */
/** @typedef {Activity['steps'][number]} ActivityStep */
/** @typedef {Activity['assets'][number]} AssetActivity */
/**
 * @typedef {'whole' | 'part' | 'unknown'} Known `part`: incomplete, or not over yet; `unknown`: nothing is known
 * @typedef {{ at: string, known: Known, step: ActivityStep | undefined }} Slot
 */

const DAY_MS = 86_400_000

/** The first day of the slot after one. @param {string} at @param {Activity['step']} step */
const after = (at, step) => {
  const date = new Date(`${at}T00:00:00Z`)
  if (step === 'month') date.setUTCMonth(date.getUTCMonth() + 1)
  else date.setTime(date.getTime() + (step === 'week' ? 7 : 1) * DAY_MS)
  return date.toISOString().slice(0, 10)
}

/** The first day of the slot that contains a day. @param {string} day @param {Activity['step']} step */
const startOf = (day, step) => {
  if (step === 'month') return `${day.slice(0, 8)}01`
  if (step === 'day') return day
  const date = new Date(`${day}T00:00:00Z`)
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Every slot from `from` to today, with or without movements. Only a known slot without movements had none.
 *
 * @param {Activity} activity @param {string | undefined} from first day of the range; `undefined` for all
 * @param {number} now ms
 * @returns {Slot[]}
 */
export const slotsOf = (activity, from, now) => {
  const { step, knownFrom, knownTo, cut } = activity
  const steps = new Map(activity.steps.map((one) => [one.at, one]))
  const begin = startOf(from ?? activity.from, step)
  const today = new Date(now).toISOString().slice(0, 10)
  const [first, last] = [knownFrom === null ? 0 : Date.parse(knownFrom), knownTo === null ? 0 : Date.parse(knownTo)]
  /** @type {(at: string, end: string) => Known} */
  const knownOf = (at, end) => {
    if (cut && at < activity.from) return 'unknown'
    const [start, over] = [Date.parse(at), Date.parse(end)]
    if (start > last) return 'unknown'
    if (over <= first) return steps.has(at) ? 'part' : 'unknown'
    return start < first || over > last ? 'part' : 'whole'
  }
  /** @type {Slot[]} */
  const slots = []
  for (let at = begin; at <= today; ) {
    const end = after(at, step)
    slots.push({ at, known: knownOf(at, end), step: steps.get(at) })
    at = end
  }
  return slots
}

/** Runs of adjacent unknown slots. @param {readonly Slot[]} slots */
export const runsOf = (slots) => {
  /** @type {{ from: number, to: number }[]} */
  const runs = []
  for (const [nth, { known }] of slots.entries()) {
    const last = runs.at(-1)
    if (known !== 'unknown') continue
    if (last?.to === nth - 1) last.to = nth
    else runs.push({ from: nth, to: nth })
  }
  return runs
}

/** Height of a chart and width of a slot, in units of the view box. */
export const HEIGHT = 100
export const WIDTH = 10
/** Height of a lane of marks. */
export const LANE = 10

/**
 * Bars up and down from the middle, on the same scale.
 *
 * @param {readonly Slot[]} slots @param {(slot: Slot) => readonly [up: number, down: number]} value
 */
export const barsOf = (slots, value) => {
  const values = slots.map(value)
  const most = Math.max(...values.flat(), 0) || 1
  const half = HEIGHT / 2
  return slots.map((slot, nth) => {
    const [up = 0, down = 0] = values[nth] ?? []
    const [above, below] = [(up / most) * half, (down / most) * half]
    return { slot, x: nth * WIDTH, up: { y: half - above, height: above }, down: { y: half, height: below } }
  })
}

/** Marked actions, one lane each. */
export const MARKED = /** @type {const} */ (['approvals', 'swaps', 'creations'])

/**
 * Marks of actions by slot. Each kind that occurs has its own lane, so that colour is not needed.
 *
 * @param {readonly Slot[]} slots
 */
export const marksOf = (slots) => {
  const lanes = MARKED.filter((kind) => slots.some(({ step }) => (step?.[kind] ?? 0) > 0))
  const marks = lanes.flatMap((kind, lane) =>
    slots.flatMap(({ at, step }, nth) => {
      const count = step?.[kind] ?? 0
      return count > 0 ? [{ kind, at, count, x: nth * WIDTH, y: lane * LANE }] : []
    }),
  )
  return { lanes, marks, height: lanes.length * LANE }
}

/**
 * Level of an asset at the end of each slot; `undefined` if unknown.
 *
 * @param {readonly Slot[]} slots @param {AssetActivity} asset
 */
export const levelsOf = (slots, { opening, steps }) => {
  const at = new Map(steps.map((step) => [step.at, step]))
  let level = opening === null ? 0 : Number(opening)
  return slots.map(({ at: day, known }) => {
    const step = at.get(day)
    if (step) level = Number(opening === null ? step.change : (step.balance ?? step.change))
    return known === 'unknown' ? undefined : level
  })
}

/**
 * A step line through levels, interrupted where they are unknown, and the position of zero.
 *
 * @param {readonly (number | undefined)[]} levels
 */
export const lineOf = (levels) => {
  const known = levels.flatMap((level) => level ?? [])
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)]
  const span = most - least || 1
  const y = (/** @type {number} */ level) => Math.round((HEIGHT - ((level - least) / span) * HEIGHT) * 100) / 100
  let isDrawing = false
  const path = levels.flatMap((level, nth) => {
    if (level === undefined) {
      isDrawing = false
      return []
    }
    const begin = isDrawing ? `V${y(level)}` : `M${nth * WIDTH} ${y(level)}`
    isDrawing = true
    return [`${begin}H${(nth + 1) * WIDTH}`]
  })
  return { path: path.join(''), zero: y(0) }
}
