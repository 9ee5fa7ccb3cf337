/** The command line, `assay`. */
import { explain } from './process/process.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}
