/** The command line, `assay`. */
import { explain } from './process.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}
