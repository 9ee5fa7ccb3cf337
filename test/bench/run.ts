/**
 * `npm run bench -- <name>`: one benchmark, one line of JSON. Every figure is accompanied by a ceiling, measured in the same
 * run on the same machine, so that the ratio is comparable between machines.
 */
import { existsSync, readdirSync } from 'node:fs'

export type BenchResult = {
  /** The measured figure, in `unit`. */
  figure: number
  /** The same work without our code, in the same unit. */
  ceiling: number
  ratio: number
  unit: string
  [detail: string]: unknown
}

const here = new URL('.', import.meta.url)
const names = readdirSync(here)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
const [name = '', ...rest] = process.argv.slice(2)
const file = new URL(`${name}.bench.ts`, here)

if (!names.includes(name) || !existsSync(file)) {
  process.stderr.write(`Name one of: ${names.join(', ')}\n`)
  process.exit(1)
}
const { run }: { run: (args: string[]) => Promise<BenchResult | BenchResult[]> } = await import(file.href)
for (const result of [await run(rest)].flat()) process.stdout.write(`${JSON.stringify({ bench: name, ...result })}\n`)
process.exit(0)
