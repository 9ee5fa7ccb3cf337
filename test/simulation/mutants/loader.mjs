/**
 * Replaces text of product files while they are loaded, so that the simulation can be asked whether it notices. Loaded before tsx
 * (`node --import ./test/simulation/mutants/loader.mjs --import tsx ...`), which then compiles what comes from here. The
 * replacements stand in the environment: `ASSAY_MUTANT` is JSON, `[{ file, find, replace }]`.
 */
import { register } from 'node:module'

const hooks = `
const edits = JSON.parse(${JSON.stringify(process.env.ASSAY_MUTANT ?? '[]')})
export const load = async (url, context, next) => {
  const own = edits.filter(({ file }) => url.split('?')[0].endsWith('/' + file))
  const loaded = await next(url, context)
  if (own.length === 0) return loaded
  let text = loaded.source.toString()
  for (const { file, find, replace } of own) {
    if (text.split(find).length !== 2) throw new Error('the mutant of ' + file + ' does not fit: its text is not there exactly once: ' + find)
    text = text.replace(find, () => replace)
  }
  return { ...loaded, source: text }
}
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
