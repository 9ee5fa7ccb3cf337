/** The command line, `assay`. */
import { endOnClosedPipe, endOnSignals } from './command-line/signals.ts'
import { refuseUnknownCommand } from './command-line/usage.ts'
import { explain } from './process/process.ts'
import { createProgram } from './program.ts'

endOnSignals()
endOnClosedPipe()
try {
  const program = createProgram()
  refuseUnknownCommand(program, process.argv.slice(2))
  await program.parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}
