#!/usr/bin/env node
// The executable. Node 22.18 and newer run TypeScript sources natively; older ones run them through tsx.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Node 22.1 and newer cache compiled code, which halves the start time. The cache is in node_modules, which only users who may
// change the code can write to; where that folder is read-only, nothing is cached.
const compiled = fileURLToPath(new URL('../node_modules/.cache/assay/compiled', import.meta.url))
module.enableCompileCache?.(compiled)
// enableCompileCache affects this thread only. Worker threads of roles read the variable.
process.env.NODE_COMPILE_CACHE ??= compiled

if (!process.features.typescript) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import('./cli.ts')
