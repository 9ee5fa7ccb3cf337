import { explain } from '../../deploy/process/process.ts'

/** `npm run eval -- <what> [options]`: measures on labelled data. Each evaluation is one entry of the table. */
const EVALUATIONS: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  contracts: async () => (await import('./contracts/contracts.ts')).evaluateContracts,
  flags: async () => (await import('./wallets/flags.ts')).evaluateWalletFlags,
  wallets: async () => {
    const { evalWallets } = await import('./wallets/wallets.ts')
    return async (given) => void process.stdout.write(`${JSON.stringify(evalWallets(given), null, 2)}\n`)
  },
}

/** Errors of Node's option parser, without its advice. */
const wrongOption = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
    ? error.message.replace(/\. To specify a positional.*/s, '')
    : undefined

const [what = '', ...args] = process.argv.slice(2)
const load = EVALUATIONS[what]
if (!load) {
  process.stderr.write(`usage: npm run eval -- ${Object.keys(EVALUATIONS).join('|')} [options]\n`)
  process.exitCode = 1
} else {
  try {
    await (await load())(args)
  } catch (error) {
    const wrong = wrongOption(error)
    if (wrong === undefined) process.exitCode = explain(error)
    else {
      process.stderr.write(`error: ${wrong[0]?.toLowerCase()}${wrong.slice(1)}\nSee: docs/verdicts/evaluation.md\n`)
      process.exitCode = 1
    }
  }
}
