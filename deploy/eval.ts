/** `npm run eval -- <what> [options]`: measures on labelled data. Each evaluation is one entry of the table. */
const EVALUATIONS: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  contracts: async () => (await import('./eval/contracts.ts')).evaluateContracts,
}

const [what = '', ...args] = process.argv.slice(2)
const load = EVALUATIONS[what]
if (!load) {
  process.stderr.write(`usage: npm run eval -- ${Object.keys(EVALUATIONS).join('|')} [options]\n`)
  process.exitCode = 1
} else {
  await (await load())(args)
}
