#!/usr/bin/env node
// The executable. Node 22.18 and newer run the TypeScript sources by themselves; older ones run them through tsx.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Node 22.1 and newer keep what they compiled, and start in half the time. It lies with the packages, where only those write who
// may change the code as well; where that cannot be written, nothing is kept.
const compiled = fileURLToPath(new URL('../node_modules/.cache/assay/compiled', import.meta.url))
module.enableCompileCache?.(compiled)
// That is for this thread alone. Threads of roles read the variable, and start in half the time as well.
process.env.NODE_COMPILE_CACHE ??= compiled

if (!process.features.typescript) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import('./cli.ts')
