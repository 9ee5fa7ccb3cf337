/**
 * The code model on collections it was not fitted to. Flags come from simulations, for which bare bytecode has no state, so a model
 * of the code alone is fitted here.
 */
import { createCodeReader } from '../../../scorer/contracts/code/reader.ts'
import { applyCodeModel, type CodeFeatures, codeFeatures } from '../../../scorer/contracts/verdict/code-model.ts'
import { auc, recallAtFalsePositiveRate, type Scored } from '../metrics.ts'
import { type Code, crossValidate, isAlike, type Sample, trainCodeModel } from './train-code-model.ts'

/** A contract of another collection. `bytecode`: 0x-prefixed hex of the runtime code. */
export type ForeignRow = { label: number; bytecode: string }
/** Identification of clones, beside the features. */
export type Sighted = Sample & Code

export type Ranking = {
  rugs: number
  honest: number
  auc: number
  recall_at_1_percent_false_positives: number
}

const rankingOf = (rows: readonly Scored[]): Ranking => ({
  rugs: rows.filter(({ label }) => label === 1).length,
  honest: rows.filter(({ label }) => label === 0).length,
  auc: auc(rows),
  recall_at_1_percent_false_positives: recallAtFalsePositiveRate(rows, 0.01),
})

const withoutFlags = ({ values, words }: CodeFeatures): CodeFeatures => ({
  words,
  values: Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('flag:'))),
})

const readAll = async (rows: readonly ForeignRow[]): Promise<Sighted[]> => {
  const codes = createCodeReader()
  try {
    const read: Sighted[] = []
    for (const { label, bytecode } of rows) {
      const { facts, text, familyHash } = await codes.read(bytecode)
      const { functions } = facts
      if (familyHash === '') continue
      const selectors = new Set(functions.map(({ selector }) => selector))
      read.push({ label, group: '', features: codeFeatures({ functions, text }, {}), family: familyHash, selectors })
    }
    return read
  } finally {
    await codes.close()
  }
}

/** In the collection, the model that ranks a row never saw the row's clones. Elsewhere, rows with clones in it are left out. */
export const rankAcross = async (
  known: readonly Sighted[],
  collections: ReadonlyMap<string, readonly ForeignRow[]>,
) => {
  const samples = known.map((sample) => ({ ...sample, features: withoutFlags(sample.features) }))
  const model = trainCodeModel(samples)
  const { scores } = crossValidate(samples)
  const own = samples.map(({ label }, i): Scored => ({ label, score: scores[i] ?? 0 }))
  const honest = own.filter(({ label }) => label === 0)
  const across: Record<string, { read: number; seen: number; against_honest: Ranking; among_themselves?: Ranking }> = {}
  for (const [name, rows] of collections) {
    const read = await readAll(rows)
    const unseen = read.filter((row) => !known.some((one) => isAlike(one, row)))
    const ranked = unseen.map(({ label, features }): Scored => ({ label, score: applyCodeModel(model, features) }))
    const rugs = ranked.filter(({ label }) => label === 1)
    across[name] = {
      read: read.length,
      seen: read.length - unseen.length,
      against_honest: rankingOf([...rugs, ...honest]),
      ...(rugs.length < ranked.length ? { among_themselves: rankingOf(ranked) } : {}),
    }
  }
  return { within: rankingOf(own), across }
}
